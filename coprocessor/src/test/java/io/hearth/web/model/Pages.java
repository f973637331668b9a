package io.hearth.web.model;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.steering.PinnedRegion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Small clusters to make pages of. */
public final class Pages {

    private Pages() {}

    public static SeenServer server(String host, String rack, double capacity, SeenRegion... regions) {
        return new SeenServer(new ServerId(host, 16020, 1), rack, capacity, List.of(regions));
    }

    /** A region with these rates and a gibibyte, all of it local. */
    public static SeenRegion region(String name, String table, double reads, double writes) {
        LoadVector load = LoadVector.of(reads, writes, 0);
        return new SeenRegion(
                new RegionId(name), new TableId(table), 1 << 30, 1 << 30, 1 << 30, new RegionHeat.Known(load, load));
    }

    public static SeenRegion unknown(String name, String table, long storeBytes, long localBytes) {
        return new SeenRegion(
                new RegionId(name),
                new TableId(table),
                storeBytes,
                localBytes,
                storeBytes,
                new RegionHeat.Unknown(RegionHeat.Reason.SEEN_TOO_BRIEFLY));
    }

    public static Page page(SeenServer... servers) {
        return page(List.of(), List.of(), servers);
    }

    public static Page page(List<Decision> decisions, List<PinnedRegion> pins, SeenServer... servers) {
        return page(Map.of(), decisions, pins, servers);
    }

    /** One of a master with these settings. */
    static Page page(Map<String, String> settings, SeenServer... servers) {
        return page(settings, List.of(), List.of(), servers);
    }

    private static Page page(
            Map<String, String> settings, List<Decision> decisions, List<PinnedRegion> pins, SeenServer... servers) {
        BalancerWord balancer = new BalancerWord(
                true,
                true,
                BalancerConfig.read("", new MapSettings(settings), key -> true),
                Optional.empty(),
                decisions,
                pins,
                List.of(),
                List.of(),
                List.of());
        Seen seen = new Seen(
                1_000_000,
                "m:16000",
                List.of(servers),
                TableWeights.DEFAULTS,
                balancer,
                HealingWord.NONE,
                DoctorWord.NOT_YET);
        return PageMaker.make(seen, region -> List.of(OptionalDouble.empty(), OptionalDouble.of(12.34)));
    }
}
