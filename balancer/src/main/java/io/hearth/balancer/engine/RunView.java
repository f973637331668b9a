package io.hearth.balancer.engine;

import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.LocalBytes;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import java.util.Map;

/** How each region looks to the planner in one run: what it weighs, and whether it may be moved. Confined to the run. */
public final class RunView {

    private final HeatModel heat;
    private final TableWeights weights;
    private final Map<RegionId, Pin> remembered;

    RunView(HeatModel heat, TableWeights weights, Map<RegionId, Pin> remembered) {
        this.heat = heat;
        this.weights = weights;
        this.remembered = remembered;
    }

    /** One region of the snapshot. */
    public RegionState region(RegionId region, RegionId primary, TableId table, LocalBytes local) {
        RegionHeat ofRegion = heat.heat(region);
        return new RegionState(
                region,
                primary,
                table,
                load(table, ofRegion),
                ofRegion instanceof RegionHeat.Known,
                pin(region, table, ofRegion),
                local);
    }

    private LoadVector load(TableId table, RegionHeat ofRegion) {
        return ofRegion instanceof RegionHeat.Known known ? weights.of(table).weigh(known.planned()) : LoadVector.ZERO;
    }

    private Pin pin(RegionId region, TableId table, RegionHeat ofRegion) {
        if (table.isSystemTable()) {
            return Pin.SYSTEM_TABLE;
        }
        Pin known = remembered.get(region);
        if (known != null) {
            return known;
        }
        if (!(ofRegion instanceof RegionHeat.Known)) {
            return Pin.HEAT_UNKNOWN;
        }
        return heat.isWorthAMove(region) ? Pin.FREE : Pin.NOT_HOT_ENOUGH;
    }
}
