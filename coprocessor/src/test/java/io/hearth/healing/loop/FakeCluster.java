package io.hearth.healing.loop;

import static io.hearth.healing.fakes.Racks.block;
import static io.hearth.healing.fakes.Racks.node;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.config.ConductConfig;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.fakes.Conducts;
import io.hearth.healing.fakes.CountedMetrics;
import io.hearth.healing.fakes.FakeHdfs;
import io.hearth.healing.fakes.Memories;
import io.hearth.healing.model.BlockReplicas;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.ClusterLook;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.plan.RackRule;
import io.hearth.healing.trigger.HintBox;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A cluster in memory with a region of two blocks at home on a1, and a loop whose crank is turned by hand: ten turns a second.
 * Its time of day begins on a Monday at noon.
 */
final class FakeCluster {

    static final RegionId R1 = new RegionId("r1");
    static final String FILE = "/hbase/data/default/t/r1/f/1";

    private static final Instant MONDAY_NOON = Instant.parse("2026-03-02T12:00:00Z");

    final FakeHdfs hdfs = new FakeHdfs();
    final Map<RegionId, ServedRegion> served = new TreeMap<>();
    final List<RegionId> refreshed = new ArrayList<>();
    final List<String> compacted = new ArrayList<>();
    final CountedMetrics metrics = new CountedMetrics();
    final Deque<Runnable> dataNodeThreads = new ArrayDeque<>();
    HealingMemory memory = Memories.alone();
    Optional<String> compactionRefused = Optional.empty();
    List<Long> readMicros = List.of();
    boolean dataNodesAnswer = true;
    HealingConfig config = new HealingConfig(true, 1.0, 10_000, 5_000, 8, 4, 0, 30_000, 60_000, Conducts.usual());
    long nowMs;
    private HealingLoop loop = newLoop();

    FakeCluster() {
        Stream.of("a1", "a2", "b1", "b2", "c1", "c2").forEach(name -> hdfs.nodes.add(node(name)));
        hdfs.addFile(
                R1,
                new StoreFile(FILE, 3, false, true, List.of(block(1, "a1", "b1", "b2"), block(2, "a1", "b1", "c2"))));
        serve("a1", 200, 200);
        run(1_000);
    }

    void serve(String host, long localBytes, long totalBytes) {
        served.put(
                R1,
                new ServedRegion(
                        R1,
                        new TableId("t"),
                        HealRank.USER,
                        HealMode.ON,
                        new ServerId(host, 16020, 1),
                        Optional.of(new ReportedLocality(localBytes, totalBytes))));
    }

    void set(ConductConfig conduct) {
        config = new HealingConfig(
                config.enabled(), 1.0, 10_000, 5_000, 8, 4, config.bytesPerSecond(), 30_000, 60_000, conduct);
    }

    void enable(boolean enabled) {
        config = new HealingConfig(
                enabled, 1.0, 10_000, 5_000, 8, 4, config.bytesPerSecond(), 30_000, 60_000, config.conduct());
    }

    void run(long ms) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += 100) {
            loop.doWork(nowMs);
            while (dataNodesAnswer && !dataNodeThreads.isEmpty()) {
                dataNodeThreads.poll().run();
            }
            if (nowMs % 3_000 == 1_500) {
                hdfs.deleteExcess();
            }
        }
    }

    /** What the runner does after a failure. */
    void makeLoopAnew() {
        loop = newLoop();
    }

    boolean isHome(String host) {
        return hdfs.fileByPath.values().stream()
                .flatMap(file -> file.blocks().stream())
                .allMatch(block -> block.isLocalTo(host) && isWhole(block));
    }

    private static boolean isWhole(BlockReplicas block) {
        return block.replicas().size() == 3 && block.racks() >= 2;
    }

    private HealingLoop newLoop() {
        HealingPorts ports = new HealingPorts(
                () -> Observed.known(ClusterLook.of(served.values(), List.of())),
                hdfs,
                hdfs,
                hdfs,
                new RackRule(),
                hdfs,
                refreshed::addAll,
                hdfs,
                () -> readMicros,
                (region, family) -> {
                    compacted.add(region.region() + "/" + family);
                    return compactionRefused;
                },
                new SimulatedClock());
        return new HealingLoop(ports, dataNodeThreads::add, new HintBox(() -> {}), () -> config, metrics, memory);
    }

    private final class SimulatedClock extends Clock {

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return MONDAY_NOON.plusMillis(nowMs);
        }
    }
}
