package io.hearth.datanode.grace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.config.GraceConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicaGraceTest {

    private static final long GRACE_MS = 30_000;
    private static final long MIN_FREE = 1_000;
    private static final GraceConfig ON = new GraceConfig(true, GRACE_MS, MIN_FREE);

    private final FakeReplicas replicas = new FakeReplicas();
    private GraceConfig config = ON;
    private final ReplicaGrace grace = new ReplicaGrace(replicas, () -> config);

    @Test
    void aReplicaWaitsForItsGraceAndIsDeletedOnce() {
        ReplicaId replica = replicas.put("BP-1", 1, "v1");

        assertThat(grace.admit(replica, 100, 5_000)).isTrue();
        assertThat(grace.doWork(5_000 + GRACE_MS - 1)).isZero();
        assertThat(grace.counts().pendingReplicas()).isEqualTo(1);
        assertThat(grace.counts().pendingBytes()).isEqualTo(100);
        assertThat(grace.pendingOf("BP-1")).containsExactly(replica);
        assertThat(grace.pendingOf("BP-2")).isEmpty();

        assertThat(grace.doWork(5_000 + GRACE_MS)).isEqualTo(1);
        assertThat(grace.doWork(5_000 + 2 * GRACE_MS)).isZero();
        assertThat(replicas.deleted).containsExactly(replica);
        assertThat(grace.counts().pendingBytes()).isZero();
        assertThat(count(GraceCounter.RELEASED_IN_TIME)).isEqualTo(1);
    }

    @Test
    void orderedTwiceItCountsOnceAndItsGraceIsThatOfTheFirstOrder() {
        ReplicaId replica = replicas.put("BP-1", 1, "v1");

        grace.admit(replica, 100, 0);
        assertThat(grace.admit(replica, 100, 20_000)).isTrue();

        assertThat(count(GraceCounter.DELAYED)).isEqualTo(1);
        assertThat(grace.counts().pendingBytes()).isEqualTo(100);
        assertThat(grace.doWork(GRACE_MS)).isEqualTo(1);
    }

    @Test
    void whatTheDataNodeDoesNotHoldIsLeftToStock() {
        assertThat(grace.admit(new ReplicaId("BP-1", 1, 1_001), 100, 0)).isFalse();
        assertThat(count(GraceCounter.DELAYED)).isZero();
    }

    @Test
    void aFileThatGoesMeanwhileIsForgotten() {
        ReplicaId replica = replicas.put("BP-1", 1, "v1");
        grace.admit(replica, 100, 0);

        grace.forget(replica);

        assertThat(grace.doWork(GRACE_MS)).isZero();
        assertThat(grace.counts().pendingBytes()).isZero();
    }

    @Test
    void nothingWaitsOnAVolumeThatIsShortOfSpace() {
        ReplicaId full = replicas.put("BP-1", 1, "full");
        replicas.freeByVolume.put("full", MIN_FREE - 1);

        assertThat(grace.admit(full, 100, 0)).isFalse();
        assertThat(grace.admit(replicas.put("BP-1", 2, "v1"), 100, 0)).isTrue();
        assertThat(count(GraceCounter.RELEASED_FOR_SPACE)).isEqualTo(1);
    }

    @Test
    void whatWaitsGoesWhenItsVolumeRunsShortOfSpaceOrCannotBeAsked() {
        ReplicaId filling = replicas.put("BP-1", 1, "filling");
        ReplicaId roomy = replicas.put("BP-1", 2, "roomy");
        ReplicaId failing = replicas.put("BP-1", 3, "failing");
        List.of(filling, roomy, failing).forEach(replica -> grace.admit(replica, 100, 0));
        assertThat(grace.doWork(1)).isZero();

        replicas.freeByVolume.put("filling", MIN_FREE - 1);
        replicas.freeByVolume.remove("failing");

        assertThat(grace.doWork(2)).isEqualTo(2);
        assertThat(replicas.deleted).containsExactly(filling, failing);
        assertThat(count(GraceCounter.RELEASED_FOR_SPACE)).isEqualTo(2);
    }

    @Test
    void settingsHoldForWhatWaitsAlready() {
        grace.admit(replicas.put("BP-1", 1, "v1"), 100, 0);

        config = new GraceConfig(true, 2 * GRACE_MS, MIN_FREE);
        assertThat(grace.doWork(GRACE_MS)).isZero();
        config = new GraceConfig(false, GRACE_MS, MIN_FREE);
        assertThat(grace.doWork(GRACE_MS)).isEqualTo(1);
        assertThat(grace.admit(replicas.put("BP-1", 2, "v1"), 100, 0)).isFalse();
    }

    @Test
    void aBlockPoolThatStopsIsReleasedAndOneThatIsDeletedIsDropped() {
        ReplicaId stopped = replicas.put("BP-1", 1, "v1");
        ReplicaId deleted = replicas.put("BP-2", 1, "v1");
        ReplicaId other = replicas.put("BP-3", 1, "v1");
        List.of(stopped, deleted, other).forEach(replica -> grace.admit(replica, 100, 0));

        assertThat(grace.releaseBlockPool("BP-1")).isEqualTo(1);
        grace.dropBlockPool("BP-2");

        assertThat(replicas.deleted).containsExactly(stopped);
        assertThat(grace.counts().pendingReplicas()).isEqualTo(1);
        assertThat(count(GraceCounter.RELEASED_AT_STOP)).isEqualTo(1);
        assertThat(count(GraceCounter.DROPPED_WITH_BLOCK_POOL)).isEqualTo(1);
    }

    @Test
    void atAStopAllIsReleasedAndNothingWaitsAnyMore() {
        ReplicaId first = replicas.put("BP-1", 1, "v1");
        ReplicaId second = replicas.put("BP-2", 2, "v2");
        grace.admit(first, 100, 0);
        grace.admit(second, 100, 0);

        assertThat(grace.stop()).isEqualTo(2);
        assertThat(grace.admit(replicas.put("BP-1", 3, "v1"), 100, 0)).isFalse();
        assertThat(replicas.deleted).containsExactly(first, second);
    }

    @Test
    void afterAFailureAllIsReleased() {
        ReplicaId replica = replicas.put("BP-1", 1, "v1");
        grace.admit(replica, 100, 0);

        grace.failed();

        assertThat(replicas.deleted).containsExactly(replica);
        assertThat(count(GraceCounter.FAILURES)).isEqualTo(1);
        assertThat(count(GraceCounter.RELEASED_IN_TIME)).isZero();
        assertThat(count(GraceCounter.RELEASED_AFTER_FAILURE)).isPositive();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    /** Whatever happens in whatever order, no deletion is lost, none is doubled, and none is late. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noDeletionIsLostDoubledOrLate(long seed) {
        Random random = new Random(seed);
        List<ReplicaId> ordered = new ArrayList<>();
        List<ReplicaId> atOnce = new ArrayList<>();
        long nowMs = 0;
        for (int step = 0; step < 200; step++) {
            nowMs += random.nextInt(2_000);
            if (random.nextInt(4) > 0) {
                ReplicaId replica = replicas.put("BP-" + random.nextInt(2), step, "v" + random.nextInt(3));
                ordered.add(replica);
                if (!grace.admit(replica, 10, nowMs)) {
                    atOnce.add(replica);
                }
            } else {
                replicas.freeByVolume.put("v" + random.nextInt(3), random.nextBoolean() ? 0 : Long.MAX_VALUE);
            }
            grace.doWork(nowMs);
            assertThat(grace.counts().pendingBytes())
                    .as("seed %s step %s", seed, step)
                    .isEqualTo(10L * (ordered.size() - atOnce.size() - replicas.deleted.size()));
        }
        grace.doWork(nowMs + GRACE_MS);

        List<ReplicaId> all = new ArrayList<>(atOnce);
        all.addAll(replicas.deleted);
        assertThat(all).as("seed %s", seed).containsExactlyInAnyOrderElementsOf(ordered);
        assertThat(grace.counts().pendingReplicas()).as("seed %s", seed).isZero();
    }

    private long count(GraceCounter counter) {
        return grace.counts().count(counter);
    }
}
