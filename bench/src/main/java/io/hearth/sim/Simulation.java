// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.bench.heal.HealedCluster;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.sim.SimHistory.ExecutedMove;
import io.hearth.sim.SimHistory.Sample;
import io.hearth.sim.scenario.Scenario;
import io.hearth.sim.scenario.Scenario.Blocks;
import io.hearth.sim.scenario.Scenario.ScenarioEvent;
import io.hearth.sim.scenario.Scenario.ServerSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * Runs one scenario: a queue of events on simulated time. The master looks at the servers' last reports every minute, after
 * each move (HBASE-29168) and before each run, as HBase's does; it skips a run while a region is on its way, unless the scenario says otherwise;
 * it carries a plan out move by move. Single-threaded; used once.
 */
public final class Simulation {

    /** ClusterStatusChore's period. */
    private static final long POLL_MS = 60_000;

    private static final long SAMPLE_MS = 60_000;

    /** The balancer's runs are not in step with the chore. */
    private static final long FIRST_RUN_MS = 7_000;

    /** Between two moves of a plan that begin. */
    private static final long BETWEEN_MOVES_MS = 300;

    /** From a server's death until its regions are assigned (session timeout and log splitting). */
    private static final long CRASH_MS = 30_000;

    private final Scenario scenario;
    private final SimBalancer balancer;
    private final Random random;
    private final SimCluster cluster = new SimCluster();
    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(Comparator.comparingLong(Event::timeMs).thenComparingLong(Event::number));
    private final List<Sample> samples = new ArrayList<>();
    private final List<ExecutedMove> moves = new ArrayList<>();
    private final List<Long> replicasTogether = new ArrayList<>();
    private final Optional<HealedCluster> healed;
    private long events;
    private long nowMs;
    private long clockStepMs;

    public Simulation(Scenario scenario, SimBalancer balancer) {
        this.scenario = scenario;
        this.balancer = balancer;
        random = new Random(scenario.seed());
        healed = scenario.blocks() == Blocks.HEALED
                ? Optional.of(new HealedCluster(rackByHost(), healingConfig(), this::heat, scenario.seed()))
                : Optional.empty();
    }

    /** Those of servers that join later have DataNodes from the begin. */
    private Map<String, String> rackByHost() {
        Map<String, String> rackByHost = new TreeMap<>();
        scenario.servers().forEach(server -> rackByHost.put(SimServer.host(rackByHost.size() + 1), server.rack()));
        scenario.happenings().stream()
                .filter(ScenarioEvent.Join.class::isInstance)
                .forEach(join -> rackByHost.put(SimServer.host(rackByHost.size() + 1), ""));
        return rackByHost;
    }

    private HealingConfig healingConfig() {
        return HealingSettings.read(scenario.name(), new MapSettings(scenario.settings()))
                .config();
    }

    private RegionHeat heat(EncodedRegionName id) {
        return cluster.region(id)
                .map(region -> LoadVector.ofReads(region.load(LoadDimension.READS, nowMs)))
                .<RegionHeat>map(load -> new RegionHeat.Known(load, load))
                .orElseGet(() -> new RegionHeat.Unknown(RegionHeat.Reason.NEVER_REPORTED));
    }

    private record Event(long timeMs, long number, Runnable action) {}

    /** The whole run. */
    public SimHistory run() {
        setUp();
        while (!queue.isEmpty() && queue.peek().timeMs() <= scenario.lastsMs()) {
            Event next = queue.remove();
            nowMs = next.timeMs();
            healed.ifPresent(blocks -> blocks.advanceTo(nowMs));
            next.action().run();
        }
        return new SimHistory(
                samples,
                moves,
                replicasTogether,
                balancer.toSplit(),
                healed.map(HealedCluster::movedBytes).orElse(0L));
    }

    private void setUp() {
        for (ServerSpec server : scenario.servers()) {
            cluster.add(new SimServer(cluster.size() + 1, server.rack(), server.capacity(), 0));
        }
        new RegionGenerator(scenario, random).regions().forEach(placed -> {
            SimRegion region = placed.region();
            SimServer server = cluster.server(placed.server() + 1);
            cluster.add(region);
            healed.ifPresent(blocks -> blocks.write(
                    region.id, region.table, region.storeBytes, server.id().host()));
            open(region, server);
        });
        scenario.happenings().forEach(scenarioEvent -> at(scenarioEvent.atMs(), () -> apply(scenarioEvent)));
        every(POLL_MS, POLL_MS, this::collectReports);
        every(FIRST_RUN_MS, scenario.timing().runMs(), this::balance);
        every(SAMPLE_MS / 2, SAMPLE_MS, this::sample);
    }

    private void at(long timeMs, Runnable action) {
        queue.add(new Event(timeMs, events++, action));
    }

    private void every(long firstMs, long periodMs, Runnable action) {
        at(firstMs, () -> {
            action.run();
            every(firstMs + periodMs, periodMs, action);
        });
    }

    /** Only the last report before a look is ever seen, so only that one is made: each server's at its own time. */
    private void collectReports() {
        for (SimServer server : cluster.live()) {
            long madeMs =
                    nowMs - (long) (random.nextDouble() * scenario.timing().reportMs());
            boolean isLost = random.nextDouble() < scenario.timing().reportLossShare();
            boolean isNews = server.lastReport()
                    .filter(last -> last.reportTimeMs() >= SimServer.EPOCH_MS + madeMs)
                    .isEmpty();
            if (!isLost && isNews && madeMs >= server.startedMs()) {
                server.report(cluster.report(server, madeMs));
            }
        }
        updateClusterMetrics();
    }

    private void updateClusterMetrics() {
        List<ServerReport> reports = cluster.live().stream()
                .flatMap(server -> visibleReport(server).stream())
                .toList();
        balancer.reported(reports, clock(), nowMs);
    }

    /** The server's last report, or the one before it again. */
    private Optional<ServerReport> visibleReport(SimServer server) {
        double staleShare = scenario.timing().reportStaleShare();
        boolean isStale = staleShare > 0 && random.nextDouble() < staleShare;
        return isStale && server.reportBefore().isPresent() ? server.reportBefore() : server.lastReport();
    }

    /** The master's clock. */
    private long clock() {
        return SimServer.EPOCH_MS + nowMs + clockStepMs;
    }

    private void balance() {
        collectReports();
        if (scenario.timing().isForced() || !cluster.hasRegionOnItsWay()) {
            List<SimBalancer.Move> plan = balancer.balance(cluster.assignments(this::localBytes), clock());
            for (int move = 0; move < plan.size(); move++) {
                SimBalancer.Move planned = plan.get(move);
                at(nowMs + move * BETWEEN_MOVES_MS, () -> begin(planned));
            }
        }
    }

    private LocalBytes localBytes(SimRegion region) {
        return switch (scenario.blocks()) {
            case UNKNOWN -> LocalBytes.UNKNOWN;
            case LOCAL ->
                LocalBytes.of(
                        region.storeBytes,
                        region.server()
                                .map(server -> Map.of(server.id().host(), region.storeBytes))
                                .orElse(Map.of()));
            case HEALED ->
                healed.map(blocks -> LocalBytes.of(region.storeBytes, blocks.bytesByHost(region.id)))
                        .orElse(LocalBytes.UNKNOWN);
        };
    }

    private void open(SimRegion region, SimServer server) {
        region.open(server, nowMs);
        healed.ifPresent(blocks -> blocks.opened(region.id, server.id()));
    }

    private void close(SimRegion region) {
        region.close(nowMs);
        healed.ifPresent(blocks -> blocks.closed(region.id));
    }

    private void begin(SimBalancer.Move move) {
        Optional<SimRegion> region = cluster.region(move.region());
        boolean isThere = region.flatMap(SimRegion::server)
                .filter(server -> server.id().equals(move.from()))
                .isPresent();
        if (isThere && cluster.server(move.to()).isPresent()) {
            moves.add(new ExecutedMove(nowMs, move.region(), move.from(), move.to(), region.get().storeBytes));
            transfer(region.get(), cluster.server(move.to()).get());
        }
    }

    /** Closes a region and opens it elsewhere. */
    private void transfer(SimRegion region, SimServer to) {
        close(region);
        at(nowMs + scenario.timing().moveMs(), () -> {
            SimServer opensOn = to.isAlive() ? to : emptiest();
            if (cluster.region(region.id).isPresent()) {
                open(region, opensOn);
                collectReports();
            }
        });
    }

    private void sample() {
        samples.add(new Sample(
                nowMs,
                cluster.maxOverMean(nowMs),
                healed.map(HealedCluster::locality).orElse(1.0)));
        if (cluster.hasReplicasTogether()) {
            replicasTogether.add(nowMs);
        }
    }

    private void apply(ScenarioEvent scenarioEvent) {
        if (scenarioEvent instanceof ScenarioEvent.Crash crash) {
            crash(crash);
        } else if (scenarioEvent instanceof ScenarioEvent.Return back) {
            cluster.server(back.server()).comeBack(nowMs);
        } else if (scenarioEvent instanceof ScenarioEvent.Join join) {
            cluster.add(new SimServer(cluster.size() + 1, "", join.capacity(), nowMs));
        } else if (scenarioEvent instanceof ScenarioEvent.Split split) {
            cluster.region(RegionGenerator.encodedRegionName(split.table(), split.region()))
                    .ifPresent(this::split);
        } else if (scenarioEvent instanceof ScenarioEvent.ClockStep step) {
            clockStepMs += step.byMs();
        } else if (scenarioEvent instanceof ScenarioEvent.ManualMove move) {
            manualMove(move);
        } else if (scenarioEvent instanceof ScenarioEvent.SlowServer serves) {
            SimServer server = cluster.server(serves.server());
            cluster.regionsOf(server).forEach(region -> region.countUntil(nowMs));
            server.serves(serves.share());
        }
    }

    private void crash(ScenarioEvent.Crash crash) {
        SimServer dead = cluster.server(crash.server());
        List<SimRegion> lost = cluster.regionsOf(dead);
        dead.die();
        lost.forEach(this::close);
        at(
                nowMs + CRASH_MS,
                () -> lost.forEach(region -> {
                    SimServer to = crash.regionsGoTo().isPresent()
                            ? cluster.server(crash.regionsGoTo().getAsInt())
                            : emptiest();
                    open(region, to.isAlive() ? to : emptiest());
                }));
    }

    /** As the stock round robin has it: by the number of regions. */
    private SimServer emptiest() {
        return cluster.live().stream()
                .min(Comparator.comparingInt(
                                (SimServer server) -> cluster.regionsOf(server).size())
                        .thenComparing(SimServer::id))
                .orElseThrow(() -> new IllegalStateException("No server of " + scenario.name() + " is alive."));
    }

    private void split(SimRegion parent) {
        Optional<SimServer> server = parent.server();
        close(parent);
        cluster.remove(parent);
        SimRegion first = daughter(parent, "a", "");
        SimRegion second = daughter(parent, "b", "m");
        healed.ifPresent(blocks -> blocks.split(parent.id, first.id, second.id));
        for (SimRegion daughter : List.of(first, second)) {
            cluster.add(daughter);
            open(daughter, server.orElseGet(this::emptiest));
        }
    }

    /** A half of this region, with all keys from here on in its part. */
    private SimRegion daughter(SimRegion parent, String suffix, String fromKey) {
        EncodedRegionName id = new EncodedRegionName(parent.id.encodedName() + suffix);
        String startKey = parent.nameInfo.map(RegionNameInfo::startKey).orElse("");
        return new SimRegion(
                id,
                id,
                parent.table,
                Optional.of(new RegionNameInfo(startKey + fromKey, SimServer.EPOCH_MS + nowMs)),
                parent.storeBytes / 2,
                parent.requestRates().stream().map(RegionRequestRate::half).toList());
    }

    private void manualMove(ScenarioEvent.ManualMove move) {
        cluster.region(RegionGenerator.encodedRegionName(move.table(), move.region()))
                .ifPresent(region -> {
                    SimServer to = cluster.server(move.server());
                    Optional<ServerId> from = region.server().map(SimServer::id);
                    transfer(region, to);
                    from.ifPresent(source -> at(
                            nowMs + scenario.timing().moveMs(),
                            () -> balancer.regionMovedManually(
                                    new SimBalancer.Move(region.id, source, to.id()), region.table, clock())));
                });
    }
}
