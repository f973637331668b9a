// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static io.hearth.healer.fakes.Racks.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.fakes.LoggedLines;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Six hosts, each with a region of twelve blocks of which none is local, and one fault that does not end by itself: healing goes on
 * with the others, and nothing is lost.
 */
class FaultyDataNodeTest {

    private static final int BLOCKS = 12;
    private static final long STEP_MS = 250;
    private static final long MINUTE_MS = 60_000;
    private static final List<String> SIX_HOSTS = List.of("a1", "a2", "b1", "b2", "c1", "c2");
    private static final String FAULTY = "b2";
    private static final List<String> OTHERS =
            SIX_HOSTS.stream().filter(host -> !host.equals(FAULTY)).toList();

    private final FakeHdfs hdfs = new FakeHdfs();
    private final CountedMetrics metrics = new CountedMetrics();
    private final Map<EncodedRegionName, ServedRegion> served = new TreeMap<>();
    private final DataNodes dataNodes = new DataNodes();
    private HealLimitConfig limits = HealLimits.of(20, 2, 0);
    private long nameNodeCallMs;
    private long nowMs;
    private HealingLoop loop = loop();

    /** What DataNodes do when they are asked for a move in which the faulty one receives or sends. */
    private final class DataNodes implements BlockMover {

        private Optional<Response> ofTarget = Optional.empty();
        private Optional<Response> ofProxy = Optional.empty();
        private boolean hangs;
        private boolean hangsAsProxy;
        private final List<Runnable> answers = new ArrayList<>();

        @Override
        public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
            throw new IllegalStateException("no thread waits here");
        }

        @Override
        public void start(
                BlockMove move, DataNode proxy, long listenMs, MoveThreadPool threads, Consumer<MoveResult> answer) {
            boolean isTarget = move.target().isOn(FAULTY);
            boolean isProxy = proxy.isOn(FAULTY);
            if ((hangs && (isTarget || isProxy)) || (hangsAsProxy && isProxy)) {
                return;
            }
            Optional<Response> refusal = isTarget ? ofTarget : isProxy ? ofProxy : Optional.empty();
            answers.add(() -> {
                if (refusal.isEmpty()) {
                    hdfs.copy(move);
                }
                answer.accept(new MoveResult(refusal.orElse(Response.COPIED), ""));
            });
        }

        @Override
        public Optional<String> missingPrivilege() {
            return Optional.empty();
        }

        void answerAll() {
            answers.forEach(Runnable::run);
            answers.clear();
        }
    }

    @Test
    void aDataNodeThatAcceptsMovesAndNeverFinishesOneHoldsNobodyElseUp() {
        dataNodes.hangs = true;
        layOut(SIX_HOSTS);
        try (LoggedLines logged = new LoggedLines(HealingLoop.class, "ended INCONCLUSIVE")) {
            runUntil(() -> areLocal(OTHERS), 15 * MINUTE_MS);
            assertThat(logged.lines()).isNotEmpty();
            assertThat(logged.lines().get(0)).matches(unanswered("\\S+"));
        }

        assertThat(isLocal(FAULTY)).isFalse();
        assertThat(metrics.get(HealingCounter.BLOCKS_INCONCLUSIVE)).isPositive();
        cure();
    }

    /** It is the first to be copied from, being on the target's rack. Broken (it is asked again and again): two blocks are remote for ever. */
    @Test
    void aDataNodeThatNeverFinishesACopyIsNotCopiedFromAgain() {
        dataNodes.hangsAsProxy = true;
        Stream.of("a1", "b1", FAULTY, "c1", "c2").forEach(host -> hdfs.nodes.add(node(host)));
        serve(0, "b1", List.of(FAULTY, "a1", "c1"));
        try (LoggedLines logged = new LoggedLines(HealingLoop.class, "ended INCONCLUSIVE")) {
            runUntil(() -> isLocal("b1"), 5 * MINUTE_MS);
            assertThat(logged.lines()).as("one line for both").hasSize(1);
            assertThat(logged.lines().get(0)).matches(unanswered("b1/b\\(uuid-b1\\)"));
        }

        assertThat(metrics.get(HealingCounter.BLOCKS_INCONCLUSIVE))
                .as("as many as it may have at a time")
                .isEqualTo(2);
        assertThat(hdfs.moved).hasSize(BLOCKS);
    }

    @Test
    void aDataNodeThatIsBusyForEverHoldsNobodyElseUp() {
        dataNodes.ofTarget = Optional.of(Response.BUSY);
        dataNodes.ofProxy = Optional.of(Response.PROXY_BUSY);
        layOut(SIX_HOSTS);
        runUntil(() -> areLocal(OTHERS), 15 * MINUTE_MS);

        assertThat(isLocal(FAULTY)).isFalse();
        assertThat(metrics.get(HealingCounter.THROTTLED)).as("it is told of").isPositive();
        assertThat(metrics.get(HealingCounter.BLOCKS_FAILED))
                .as("busy is not failed")
                .isZero();
        cure();
    }

    /** With a lock that takes no call: HDFS's own is not sure then, and nothing moves ({@link HealingLoopLockTest}). */
    @Test
    void aNameNodeThatTakesHalfAMinuteForEachCallOnlySlowsHealingDown() {
        nameNodeCallMs = 30_000;
        layOut(SIX_HOSTS);
        runUntil(() -> areLocal(SIX_HOSTS), 12 * 60 * MINUTE_MS);

        assertThat(hdfs.moved).as("each block once").hasSize(SIX_HOSTS.size() * BLOCKS);
        assertThat(metrics.get(HealingCounter.BLOCKS_REVERTED)).isZero();
    }

    /** The NameNode puts all DataNodes on one rack then. */
    @Test
    void whereNobodyKnowsTheRacksTheirLimitHoldsNothingBack() {
        limits = new HealLimitConfig(0, 2, 1, 0, 20, 0.02, 50);
        List<String> hosts = List.of("r1", "r2", "r3", "r4", "r5", "r6");
        layOut(hosts);
        runUntil(() -> areLocal(hosts), 15 * MINUTE_MS);

        assertThat(hdfs.moved).hasSize(hosts.size() * BLOCKS);
    }

    /** What is logged of a move that no DataNode has answered, whatever its block and the replica that goes. */
    private static String unanswered(String target) {
        return "The move of \\S+ \\(100 bytes of /hbase/data/default/t/r\\d/f/1\\) to " + target
                + " instead of \\S+ ended INCONCLUSIVE: no answer within 30000 ms; the NameNode says INCONCLUSIVE\\."
                + " Its region is looked at again later\\.";
    }

    private void cure() {
        dataNodes.hangs = false;
        dataNodes.ofTarget = Optional.empty();
        dataNodes.ofProxy = Optional.empty();
        runUntil(() -> areLocal(SIX_HOSTS), 3 * 60 * MINUTE_MS);
        runUntil(() -> metrics.get(HealingGauge.BLOCKS_IN_FLIGHT) == 0, 5 * MINUTE_MS);
    }

    /** Each host serves a region of whose blocks the next three hosts have the replicas. */
    private void layOut(List<String> hosts) {
        hosts.forEach(host -> hdfs.nodes.add(node(host)));
        for (int host = 0; host < hosts.size(); host++) {
            serve(
                    host,
                    hosts.get(host),
                    List.of(
                            hosts.get((host + 1) % hosts.size()),
                            hosts.get((host + 2) % hosts.size()),
                            hosts.get((host + 3) % hosts.size())));
        }
    }

    /** The host serves a region of whose blocks these have the replicas. */
    private void serve(int number, String host, List<String> holders) {
        EncodedRegionName region = new EncodedRegionName("r" + number);
        List<BlockReplicas> blocks = new ArrayList<>();
        for (int of = 0; of < BLOCKS; of++) {
            blocks.add(block(100L * number + of, holders.toArray(String[]::new)));
        }
        hdfs.addFile(region, new StoreFile(path(number), 3, false, true, blocks));
        served.put(
                region,
                new ServedRegion(
                        region,
                        new TableId("t"),
                        HealRank.USER,
                        TableHealingMode.ON,
                        new ServerId(host, 16020, 1),
                        Optional.of(new ReportedLocality(0, 100 * BLOCKS))));
    }

    private static String path(int host) {
        return "/hbase/data/default/t/r" + host + "/f/1";
    }

    private void runUntil(Supplier<Boolean> isDone, long mostMs) {
        long untilMs = nowMs + mostMs;
        while (!isDone.get()) {
            assertThat(nowMs)
                    .as("%s of %s moved", hdfs.moved.size(), hdfs.fileByPath)
                    .isLessThan(untilMs);
            turn();
        }
    }

    private void turn() {
        long callsBefore = hdfs.usage.calls();
        loop.doWork(nowMs);
        nowMs += STEP_MS + nameNodeCallMs * (hdfs.usage.calls() - callsBefore);
        dataNodes.answerAll();
        if (nowMs / STEP_MS % 12 == 0) {
            hdfs.deleteExcess();
        }
        assertThat(hdfs.fileByPath.values().stream().flatMap(file -> file.blocks().stream()))
                .as("at %s ms", nowMs)
                .allMatch(block -> block.replicas().size() >= 3);
    }

    private boolean areLocal(List<String> hosts) {
        return hosts.stream().allMatch(this::isLocal);
    }

    private boolean isLocal(String host) {
        return served.values().stream()
                .filter(region -> region.server().host().equals(host))
                .flatMap(region -> hdfs.pathsByRegion.get(region.region()).stream())
                .flatMap(path -> Stream.ofNullable(hdfs.fileByPath.get(path)))
                .flatMap(file -> file.blocks().stream())
                .allMatch(block -> block.isLocalTo(host) && block.replicas().size() == 3);
    }

    private HealingLoop loop() {
        HealerServices services = hdfs.services(
                () -> Observed.known(AssignmentSnapshot.of(served.values(), List.of())), dataNodes, regions -> {});
        return new HealingLoop(
                services,
                task -> {
                    throw new IllegalStateException("no thread waits here");
                },
                new PollHints(() -> {}),
                () -> new HealingConfig(true, 1.0, 10_000, 5_000, limits, 30_000, 60_000, HealPolicies.usual()),
                metrics,
                HealerStates.alone());
    }
}
