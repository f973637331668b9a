// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeats;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.TableId;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** How each region looks to the planner and to the page at one time: what it weighs, and whether it may be moved. One thread's. */
public final class RegionStateFactory {

    private final RegionHeats heat;
    private final Predicate<EncodedRegionName> isActive;
    private final TableWeights weights;
    private final Map<EncodedRegionName, Pin> remembered;

    private RegionStateFactory(
            RegionHeats heat,
            Predicate<EncodedRegionName> isActive,
            TableWeights weights,
            Map<EncodedRegionName, Pin> remembered) {
        this.heat = heat;
        this.isActive = isActive;
        this.weights = weights;
        this.remembered = remembered;
    }

    static RegionStateFactory of(HeatModel heat, TableWeights weights, Map<EncodedRegionName, Pin> remembered) {
        return new RegionStateFactory(heat, heat::isActive, weights, remembered);
    }

    /** Of a cluster whose heat nobody follows: none of it is known. */
    public static RegionStateFactory withoutHeat() {
        return new RegionStateFactory(
                region -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED),
                region -> false,
                TableWeights.DEFAULTS,
                Map.of());
    }

    /** One region of the snapshot. */
    public RegionState region(EncodedRegionName region, EncodedRegionName primary, TableId table, LocalBytes local) {
        RegionHeat ofRegion = heat.heat(region);
        return new RegionState(
                region,
                primary,
                table,
                ofRegion,
                load(table, ofRegion),
                pin(region, table, ofRegion),
                local,
                Optional.empty());
    }

    private LoadVector load(TableId table, RegionHeat ofRegion) {
        return ofRegion instanceof RegionHeat.Known known ? weights.of(table).weigh(known.planned()) : LoadVector.ZERO;
    }

    private Pin pin(EncodedRegionName region, TableId table, RegionHeat ofRegion) {
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
        return isActive.test(region) ? Pin.FREE : Pin.INACTIVE;
    }
}
