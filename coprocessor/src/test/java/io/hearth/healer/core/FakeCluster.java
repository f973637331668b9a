// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealPolicySettings.HealPolicyConfig;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
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
 * A cluster in memory with a region of two blocks local to a1, and a loop that the test turns: ten turns a second.
 * Its time of day begins on a Monday at noon.
 */
final class FakeCluster {

    static final EncodedRegionName R1 = new EncodedRegionName("r1");
    static final String FILE = "/hbase/data/default/t/r1/f/1";

    private static final Instant MONDAY_NOON = Instant.parse("2026-03-02T12:00:00Z");

    final FakeHdfs hdfs = new FakeHdfs();
    final Map<EncodedRegionName, ServedRegion> served = new TreeMap<>();
    final List<EncodedRegionName> refreshed = new ArrayList<>();
    final List<String> compacted = new ArrayList<>();
    final CountedMetrics metrics = new CountedMetrics();
    final Deque<Runnable> dataNodeThreads = new ArrayDeque<>();
    HealerState healerState = HealerStates.alone();
    Optional<String> compactionRefused = Optional.empty();
    boolean dataNodesAnswer = true;
    HealingConfig config =
            new HealingConfig(true, 1.0, 10_000, 5_000, HealLimits.of(8, 4, 0), 30_000, 60_000, HealPolicies.usual());
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
        serve(R1, host, localBytes, totalBytes);
    }

    void serve(EncodedRegionName region, String host, long localBytes, long totalBytes) {
        served.put(
                region,
                new ServedRegion(
                        region,
                        new TableId("t"),
                        HealRank.USER,
                        TableHealingMode.ON,
                        new ServerId(host, 16020, 1),
                        Optional.of(new ReportedLocality(localBytes, totalBytes))));
    }

    void set(HealPolicyConfig policy) {
        config = new HealingConfig(
                config.enabled(),
                1.0,
                10_000,
                5_000,
                HealLimits.of(8, 4, config.limits().clusterBytesPerSecond()),
                30_000,
                60_000,
                policy);
    }

    void enable(boolean enabled) {
        config = new HealingConfig(
                enabled,
                1.0,
                10_000,
                5_000,
                HealLimits.of(8, 4, config.limits().clusterBytesPerSecond()),
                30_000,
                60_000,
                config.policy());
    }

    void run(long ms) {
        run(ms, 100);
    }

    /** The same in turns that are so far apart. */
    void run(long ms, long turnMs) {
        for (long untilMs = nowMs + ms; nowMs < untilMs; nowMs += turnMs) {
            hdfs.nowMs = nowMs;
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

    boolean isLocal(String host) {
        return hdfs.fileByPath.values().stream()
                .flatMap(file -> file.blocks().stream())
                .allMatch(block -> block.isLocalTo(host) && isWhole(block));
    }

    private static boolean isWhole(BlockReplicas block) {
        return block.replicas().size() == 3 && block.racks() >= 2;
    }

    private HealingLoop newLoop() {
        HealerServices services = new HealerServices(
                () -> Observed.known(AssignmentSnapshot.of(served.values(), List.of())),
                hdfs,
                hdfs,
                hdfs.usage,
                hdfs,
                new RackRule(),
                hdfs,
                refreshed::addAll,
                hdfs,
                touched -> List.of(),
                HealLimits::unlimited,
                hdfs,
                (region, family) -> {
                    compacted.add(region.region() + "/" + family);
                    return compactionRefused;
                },
                8,
                clock());
        return new HealingLoop(
                services, dataNodeThreads::add, new PollHints(() -> {}), () -> config, metrics, healerState);
    }

    Instant instant() {
        return MONDAY_NOON.plusMillis(nowMs);
    }

    private Clock clock() {
        InstantSource now = this::instant;
        return now.withZone(ZoneOffset.UTC);
    }
}
