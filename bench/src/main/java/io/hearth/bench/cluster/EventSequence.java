// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.MoveRounds.MoveScenario;
import io.hearth.bench.cluster.MoveRounds.RemoteMoveScenario;
import io.hearth.bench.cluster.MoveRounds.ReturnMoveScenario;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult.EventResult;
import io.hearth.bench.cluster.VariantResult.HotSpotResult;
import io.hearth.bench.cluster.VariantResult.TopologyEvent;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.load.LoadDriver;
import io.hearth.testkit.load.LoadProfile;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.LoadProfile.Rate;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** What happens to a variant's cluster under load, one event after the other. */
final class EventSequence {

    private static final Duration START_LIMIT = Duration.ofMinutes(4);

    private final Scale scale;
    private final long seed;
    private final ClusterHandle handle;
    private final LoadDriver load;
    private final HealStrategy healStrategy;
    private final EventRun run;
    private final Consumer<String> says;

    EventSequence(Variant variant, Scale scale, long seed, ClusterHandle handle, LoadDriver load, Consumer<String> says)
            throws IOException {
        this.scale = scale;
        this.seed = seed;
        this.handle = handle;
        this.load = load;
        this.healStrategy = new HealStrategy(variant, handle);
        this.run = new EventRun(variant, scale, handle.observer(), healStrategy, load.latencies());
        this.says = says;
    }

    /** Lets all of them happen, and ends the load. */
    VariantResult run() throws IOException, InterruptedException {
        Map<TopologyEvent, EventResult> events = scale.stages().contains(BenchmarkStage.EVENTS) ? events() : Map.of();
        Optional<HotSpotResult> hotSpot =
                scale.stages().contains(BenchmarkStage.HOT_SPOT) ? Optional.of(hotSpot()) : Optional.empty();
        Map<BenchmarkStage, MoveRoundsResult> rounds = new EnumMap<>(BenchmarkStage.class);
        int most = MoveScenario.most(scale.regions());
        rounds(BenchmarkStage.MOVED, new RemoteMoveScenario(handle, most))
                .ifPresent(result -> rounds.put(BenchmarkStage.MOVED, result));
        rounds(BenchmarkStage.RETURNED, new ReturnMoveScenario(handle, load.table(), seed, most))
                .ifPresent(result -> rounds.put(BenchmarkStage.RETURNED, result));
        load.stop();
        return new VariantResult(
                events,
                hotSpot,
                rounds,
                load.requests().answered(),
                load.requests().errors(),
                load.requests().firstError().map(Commands::firstLine).orElse(""));
    }

    private Map<TopologyEvent, EventResult> events() throws IOException, InterruptedException {
        Map<TopologyEvent, EventResult> events = new EnumMap<>(TopologyEvent.class);
        Daemon victim = victim();
        for (TopologyEvent event : TopologyEvent.values()) {
            says.accept("   " + event.description() + " ...");
            EventResult result = run(event, victim);
            says.accept("      " + ClusterResultTable.inShort(result));
            events.put(event, result);
        }
        return events;
    }

    private EventResult run(TopologyEvent event, Daemon victim) throws IOException, InterruptedException {
        return switch (event) {
            case CRASH -> {
                handle.awaitQuiescence();
                String host = victim.host().name();
                yield run.run(() -> handle.cluster().kill(victim), hosts -> !hosts.containsValue(host));
            }
            case RETURNED -> {
                handle.admin().balancerSwitch(false, true);
                handle.cluster().start(victim);
                yield occupy(victim.host().name());
            }
            case HOST_ADDED -> {
                handle.admin().balancerSwitch(false, true);
                yield occupy(handle.cluster().addHost(START_LIMIT).name());
            }
        };
    }

    /** Warms the RegionServer on that host; the event is that the balancer may use it. */
    private EventResult occupy(String host) throws IOException, InterruptedException {
        WarmUp.of(host, handle, scale.warmUpSeconds(), seed);
        handle.awaitQuiescence();
        return run.run(() -> handle.admin().balancerSwitch(true, true), hasItsShare(host));
    }

    /** No region has moved, so that nothing is compacted; Hearth heals as it does anywhere. */
    private HotSpotResult hotSpot() throws IOException, InterruptedException {
        says.accept("   a " + BenchmarkStage.HOT_SPOT.title() + " ...");
        handle.awaitQuiescence();
        healStrategy.begin(handle.observer().localitySnapshot().of(Set.of()));
        return new HotSpotRun(scale, handle, load).run();
    }

    private Optional<MoveRoundsResult> rounds(BenchmarkStage stage, MoveScenario moveScenario)
            throws IOException, InterruptedException {
        if (!healStrategy.isAny() || !scale.stages().contains(stage)) {
            return Optional.empty();
        }
        says.accept("   " + moveScenario.description() + ", " + healStrategy.rounds(scale.rounds()) + " times ...");
        return Optional.of(new MoveRounds(moveScenario, scale, handle, load, healStrategy, says).run());
    }

    /** The RegionServer with most bytes, but not the one with hbase:meta, whose recovery comes first. */
    private Daemon victim() throws IOException {
        String metaHost = handle.observer().metaHost();
        String host = handle.observer().localitySnapshot().bytesByHost().entrySet().stream()
                .filter(bytes -> !bytes.getKey().equals(metaHost))
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return handle.cluster().daemon(DaemonRole.REGIONSERVER, host);
    }

    /** Two thirds of its even share of the regions: the stock balancer is content with less than all of it. */
    private Predicate<Map<String, String>> hasItsShare(String host) {
        return hosts -> {
            long own = hosts.values().stream().filter(host::equals).count();
            return own > 0 && 3 * own * handle.cluster().layout().workers().size() >= 2L * hosts.size();
        };
    }

    /**
     * Reads from a RegionServer that has just been started, from a table of its own. A new JVM compiles its code while it answers its first requests; on few
     * processors every other server waits for that, which would be taken for what healing costs.
     */
    private static final class WarmUp {

        private static final LoadTable TABLE = new LoadTable(
                TableName.valueOf("hearth_bench_warm"), new KeySpace(1, 2_000), Scale.VALUE_BYTES, Map.of());
        /** Half of them multigets. */
        private static final int PER_SECOND = 120;

        private static final long POLL_MS = 100;
        private static final long SERVER_LIMIT_SECONDS = 120;

        private WarmUp() {}

        /** Waits until there is a RegionServer on that host and reads from it for so long. The balancer is to be off. */
        static void of(String host, ClusterHandle handle, int seconds, long seed)
                throws IOException, InterruptedException {
            Admin admin = handle.admin();
            Connection connection = handle.connection();
            ServerName server = await(host, admin);
            TABLE.create(connection, seed, rows -> {});
            admin.move(admin.getRegions(TABLE.name()).get(0).getEncodedNameAsBytes(), server);
            LoadProfile profile = new LoadProfile(
                    Workload.C, KeyDistribution.UNIFORM, 1, 1, Rate.steady(PER_SECOND), 0.5, false, seed);
            try (LoadDriver load = LoadDriver.start(connection.getConfiguration(), TABLE, profile)) {
                TimeUnit.SECONDS.sleep(seconds);
                load.stop();
            }
            TABLE.drop(connection);
        }

        private static ServerName await(String host, Admin admin) throws IOException, InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVER_LIMIT_SECONDS);
            while (System.nanoTime() < deadline) {
                Optional<ServerName> server = admin.getRegionServers().stream()
                        .filter(one -> one.getHostname().equals(host))
                        .findFirst();
                if (server.isPresent()) {
                    return server.get();
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            throw new IOException("there is no RegionServer on " + host + " after " + SERVER_LIMIT_SECONDS + " s");
        }
    }
}
