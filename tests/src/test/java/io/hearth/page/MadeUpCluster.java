package io.hearth.page;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.MapSettings;
import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.RunLimits;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.search.DirectedPlanner;
import io.hearth.balancer.snapshot.ClusterSnapshot;
import io.hearth.balancer.snapshot.Pin;
import io.hearth.balancer.snapshot.RegionState;
import io.hearth.web.model.BalancerWord;
import io.hearth.web.model.HealingWord;
import io.hearth.web.model.Page;
import io.hearth.web.model.PageMaker;
import io.hearth.web.model.Seen;
import io.hearth.web.model.SeenRegion;
import io.hearth.web.model.SeenServer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * A cluster that nobody runs, for looking at the page: regions with heat by a power law, planned for by the real planner. The
 * same wishes and seed give the same cluster.
 */
final class MadeUpCluster {

    static final long NOW_MS = 1_767_225_600_000L;

    private static final long MEGABYTE = 1 << 20;

    private final Random random;
    private final List<String> tables;
    private final int servers;
    private final int racks;
    private final int regionsPerServer;
    private final double hotServerFactor;
    private final double awayShare;
    private HealingWord healing = HealingWord.NONE;
    private boolean isBalanced;

    MadeUpCluster(
            long seed,
            List<String> tables,
            int servers,
            int racks,
            int regionsPerServer,
            double hotServerFactor,
            double awayShare) {
        random = new Random(seed);
        this.tables = List.copyOf(tables);
        this.servers = servers;
        this.racks = racks;
        this.regionsPerServer = regionsPerServer;
        this.hotServerFactor = hotServerFactor;
        this.awayShare = awayShare;
    }

    MadeUpCluster with(HealingWord word) {
        healing = word;
        return this;
    }

    /** Every planned move has been made. */
    MadeUpCluster balanced() {
        isBalanced = true;
        return this;
    }

    Page page() {
        List<SeenServer> all = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            ServerId id = new ServerId("rs%03d.example.org".formatted(server + 1), 16020, NOW_MS - 86_400_000);
            all.add(new SeenServer(id, "/dc1/rack%d".formatted(server % racks + 1), 1, regions(server)));
        }
        BalancerWord word = balancer(all);
        List<SeenServer> seenServers = isBalanced ? moved(all, word.decisions().get(0)) : all;
        Seen seen = new Seen(
                NOW_MS,
                "master1.example.org:16000",
                seenServers,
                TableWeights.DEFAULTS,
                word,
                healing,
                MadeUpPages.doctor());
        return PageMaker.make(seen, this::history);
    }

    private List<SeenRegion> regions(int server) {
        double factor = server == servers / 3 ? hotServerFactor : server == servers / 2 ? 1 + hotServerFactor / 4 : 1;
        List<SeenRegion> regions = new ArrayList<>();
        for (int region = 0; region < regionsPerServer; region++) {
            String table = tables.get(region * tables.size() / regionsPerServer);
            double heat = Math.pow(random.nextDouble(), -0.3) - 0.95;
            double reads = 40 * heat * factor * (0.6 + random.nextDouble());
            double writes = 12 * heat * (0.4 + random.nextDouble());
            long bytes = (long) (MEGABYTE * 120 * Math.exp(random.nextGaussian() * 0.55));
            boolean isAway = random.nextDouble() < awayShare * (server % 5 == 1 ? 3 : 0.4);
            long local = isAway ? (long) (bytes * random.nextDouble() * 0.8) : bytes;
            LoadVector load = LoadVector.of(reads, writes, (double) bytes, 4.0 * MEGABYTE);
            boolean isKnown = random.nextInt(400) > 0;
            regions.add(new SeenRegion(
                    region(server, region),
                    new TableId(table),
                    bytes,
                    local,
                    bytes,
                    isKnown
                            ? new RegionHeat.Known(load, load)
                            : new RegionHeat.Unknown(RegionHeat.Reason.SEEN_TOO_BRIEFLY)));
        }
        return regions;
    }

    private static RegionId region(int server, int region) {
        return new RegionId("%08x%08x%016x".formatted(server * 7_919, region * 104_729, server * 31L + region));
    }

    private BalancerWord balancer(List<SeenServer> all) {
        BalancerConfig config = BalancerConfig.read("made up", new MapSettings(Map.of()), key -> true);
        BalanceEngine engine = new BalanceEngine(config, new DirectedPlanner()::plan);
        Map<ServerId, Collection<RegionState>> states = new LinkedHashMap<>();
        all.forEach(server -> states.put(
                server.server(),
                server.regions().stream().map(MadeUpCluster::state).toList()));
        ClusterSnapshot snapshot = ClusterSnapshot.of(states);
        engine.runStarted(region -> Optional.empty(), NOW_MS - 240_000);
        PlanGoals goals = engine.goals(RunLimits.of(0.2, snapshot.regionCount(), 1), NOW_MS - 240_000);
        Decision decision = engine.decide("hbase:ensemble", snapshot, goals, NOW_MS - 240_000);
        if (decision.isToBeCarriedOut()) {
            engine.carriesOut(decision, snapshot, goals, NOW_MS - 240_000);
        }
        RegionState pinned = snapshot.regionsOf(0).get(0);
        engine.steering()
                .movedByHand(
                        pinned.region(),
                        pinned.table(),
                        all.get(servers - 1).server(),
                        all.get(0).server(),
                        "ops",
                        false,
                        NOW_MS - 3_000_000);
        return new BalancerWord(
                true,
                true,
                config,
                engine.steering().adviseOnly(),
                engine.decisions(),
                engine.steering().pinned(NOW_MS),
                engine.steering().ledger(),
                engine.advice().newestFirst(),
                engine.advice().days());
    }

    private static List<SeenServer> moved(List<SeenServer> before, Decision decision) {
        Map<RegionId, ServerId> targets = new HashMap<>();
        decision.plan().moves().forEach(move -> targets.put(move.region(), move.to()));
        Map<ServerId, List<SeenRegion>> after = new HashMap<>();
        before.forEach(server -> server.regions().forEach(region -> after.computeIfAbsent(
                        targets.getOrDefault(region.region(), server.server()), first -> new ArrayList<>())
                .add(region)));
        return before.stream()
                .map(server -> new SeenServer(
                        server.server(),
                        server.rack(),
                        server.capacity(),
                        after.getOrDefault(server.server(), List.of())))
                .toList();
    }

    private static RegionState state(SeenRegion region) {
        return region.heat() instanceof RegionHeat.Known known
                ? new RegionState(region.region(), region.table(), known.load(), Pin.FREE)
                : new RegionState(region.region(), region.table(), LoadVector.ZERO, Pin.HEAT_UNKNOWN);
    }

    /** A curve of an hour that comes out at today's heat, give or take; the region's name makes it its own. */
    private List<OptionalDouble> history(RegionId region) {
        Random own = new Random(region.hashCode());
        List<OptionalDouble> samples = new ArrayList<>();
        double value = 50 + own.nextInt(400);
        for (int minute = 0; minute < 60; minute++) {
            value = Math.max(5, value * (0.9 + own.nextDouble() * 0.22));
            samples.add(minute < own.nextInt(3) ? OptionalDouble.empty() : OptionalDouble.of(value));
        }
        return samples;
    }
}
