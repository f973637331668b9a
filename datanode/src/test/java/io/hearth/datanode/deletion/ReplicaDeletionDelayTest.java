// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.datanode.config.DeletionDelaySettings.DeletionDelayConfig;
import io.hearth.datanode.deletion.ReplicaDeletionDelay.DeletionDelayCounts.DeletionDelayCounter;
import io.hearth.datanode.deletion.Replicas.ReplicaId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicaDeletionDelayTest {

    private static final long DELAY_MS = 30_000;
    private static final long MIN_FREE = 1_000;
    private static final long MAX_REPLICAS = 1_000;
    private static final long MAX_BYTES = 1_000_000;
    private static final DeletionDelayConfig ON = on(DELAY_MS, MAX_REPLICAS, MAX_BYTES);

    private final FakeReplicas replicas = new FakeReplicas();
    private DeletionDelayConfig config = ON;
    private final ReplicaDeletionDelay deletionDelay = new ReplicaDeletionDelay(replicas, () -> config);

    private static DeletionDelayConfig on(long delayMs, long maxReplicas, long maxBytes) {
        return new DeletionDelayConfig(true, delayMs, MIN_FREE, maxReplicas, maxBytes);
    }

    /** A finalized replica that a client has just opened. */
    private ReplicaId read(String blockPool, long blockId, String volume, long nowMs) {
        deletionDelay.opened(blockPool, blockId, nowMs);
        return replicas.put(blockPool, blockId, volume);
    }

    @Test
    void aReplicaWaitsForItsGraceAndIsDeletedOnce() {
        ReplicaId replica = read("BP-1", 1, "v1", 0);

        assertThat(deletionDelay.admit(replica, 100, 5_000)).isTrue();
        assertThat(deletionDelay.doWork(5_000 + DELAY_MS - 1)).isZero();
        assertThat(deletionDelay.counts().pendingReplicas()).isEqualTo(1);
        assertThat(deletionDelay.counts().pendingBytes()).isEqualTo(100);
        assertThat(deletionDelay.pendingOf("BP-1")).containsExactly(replica);
        assertThat(deletionDelay.pendingOf("BP-2")).isEmpty();

        assertThat(deletionDelay.doWork(5_000 + DELAY_MS)).isEqualTo(1);
        assertThat(deletionDelay.doWork(5_000 + 2 * DELAY_MS)).isZero();
        assertThat(replicas.deleted).containsExactly(replica);
        assertThat(deletionDelay.counts().pendingBytes()).isZero();
        assertThat(count(DeletionDelayCounter.RELEASED_IN_TIME)).isEqualTo(1);
    }

    @Test
    void whatNoClientHasOpenedWithinTheGraceGoesAtOnce() {
        ReplicaId unread = replicas.put("BP-1", 1, "v1");
        ReplicaId readLongAgo = read("BP-1", 2, "v1", 1_000);
        ReplicaId readAsLongAgoAsTheGrace = read("BP-1", 3, "v1", 5_000);
        ReplicaId heldOpen = replicas.put("BP-1", 4, "v1");
        replicas.heldOpen.add(heldOpen);
        long nowMs = 5_000 + DELAY_MS;

        assertThat(deletionDelay.admit(unread, 100, nowMs)).isFalse();
        assertThat(deletionDelay.admit(readLongAgo, 100, nowMs)).isFalse();
        assertThat(deletionDelay.admit(readAsLongAgoAsTheGrace, 100, nowMs)).isTrue();
        assertThat(deletionDelay.admit(heldOpen, 100, nowMs))
                .as("by short circuit")
                .isTrue();
        assertThat(count(DeletionDelayCounter.NOT_READ)).isEqualTo(2);
        assertThat(deletionDelay.counts().pendingReplicas()).isEqualTo(2);
    }

    @Test
    void whatThisDataNodeFoundBadNeverWaits() {
        ReplicaId foundBefore = read("BP-1", 1, "v1", 0);
        ReplicaId foundMeanwhile = read("BP-1", 2, "v1", 0);
        ReplicaId good = read("BP-1", 3, "v1", 0);

        deletionDelay.foundBad(foundBefore);
        assertThat(deletionDelay.admit(foundBefore, 100, 0)).isFalse();
        assertThat(deletionDelay.admit(foundMeanwhile, 100, 0)).isTrue();
        assertThat(deletionDelay.admit(good, 100, 0)).isTrue();
        deletionDelay.foundBad(foundMeanwhile);

        assertThat(replicas.deleted).containsExactly(foundMeanwhile);
        assertThat(deletionDelay.pendingOf("BP-1")).containsExactly(good);
        assertThat(count(DeletionDelayCounter.REPORTED_BAD)).isEqualTo(2);
    }

    @Test
    void nothingWaitsOnAVolumeThatHasFailed() {
        ReplicaId onFailed = read("BP-1", 1, "failed", 0);
        replicas.freeByVolume.remove("failed");
        assertThat(deletionDelay.admit(onFailed, 100, 0)).isFalse();

        ReplicaId goneWithIt = read("BP-1", 2, "failed", 0);
        replicas.volumeByReplica.remove(goneWithIt);
        assertThat(deletionDelay.admit(goneWithIt, 100, 0)).isFalse();
    }

    @Test
    void whatIsTooManyOrTooMuchGoesAtOnce() {
        config = on(DELAY_MS, 2, 1_000);
        assertThat(deletionDelay.admit(read("BP-1", 1, "v1", 0), 600, 0)).isTrue();
        assertThat(deletionDelay.admit(read("BP-1", 2, "v1", 0), 401, 0))
                .as("too much")
                .isFalse();
        assertThat(deletionDelay.admit(read("BP-1", 3, "v1", 0), 400, 0)).isTrue();
        assertThat(deletionDelay.admit(read("BP-1", 4, "v1", 0), 0, 0))
                .as("too many")
                .isFalse();
        assertThat(count(DeletionDelayCounter.RELEASED_OVER_LIMIT)).isEqualTo(2);
        assertThat(deletionDelay.counts().pendingBytes()).isEqualTo(1_000);
    }

    @Test
    void limitsThatAreLoweredHoldForWhatWaitsTheOldestFirst() {
        ReplicaId first = read("BP-1", 1, "v1", 0);
        ReplicaId second = read("BP-1", 2, "v1", 0);
        ReplicaId third = read("BP-1", 3, "v1", 0);
        List.of(first, second, third).forEach(replica -> deletionDelay.admit(replica, 100, 0));

        config = on(DELAY_MS, 2, MAX_BYTES);
        assertThat(deletionDelay.doWork(1)).isEqualTo(1);
        config = on(DELAY_MS, 2, 199);
        assertThat(deletionDelay.doWork(2)).isEqualTo(1);

        assertThat(replicas.deleted).containsExactly(first, second);
        assertThat(count(DeletionDelayCounter.RELEASED_OVER_LIMIT)).isEqualTo(2);
    }

    @Test
    void orderedTwiceItCountsOnceAndItsGraceIsThatOfTheFirstOrder() {
        ReplicaId replica = read("BP-1", 1, "v1", 0);

        deletionDelay.admit(replica, 100, 0);
        assertThat(deletionDelay.admit(replica, 100, 20_000)).isTrue();

        assertThat(count(DeletionDelayCounter.DELAYED)).isEqualTo(1);
        assertThat(deletionDelay.counts().pendingBytes()).isEqualTo(100);
        assertThat(deletionDelay.doWork(DELAY_MS)).isEqualTo(1);
    }

    @Test
    void whatTheDataNodeDoesNotHoldIsLeftToStock() {
        assertThat(deletionDelay.admit(new ReplicaId("BP-1", 1, 1_001), 100, 0)).isFalse();
        assertThat(count(DeletionDelayCounter.DELAYED)).isZero();
    }

    @Test
    void aFileThatGoesMeanwhileIsForgotten() {
        ReplicaId replica = read("BP-1", 1, "v1", 0);
        deletionDelay.admit(replica, 100, 0);

        deletionDelay.forget(replica);

        assertThat(deletionDelay.doWork(DELAY_MS)).isZero();
        assertThat(deletionDelay.counts().pendingBytes()).isZero();
    }

    @Test
    void nothingWaitsOnAVolumeThatIsShortOfSpace() {
        ReplicaId full = read("BP-1", 1, "full", 0);
        replicas.freeByVolume.put("full", MIN_FREE - 1);

        assertThat(deletionDelay.admit(full, 100, 0)).isFalse();
        assertThat(deletionDelay.admit(read("BP-1", 2, "v1", 0), 100, 0)).isTrue();
        assertThat(count(DeletionDelayCounter.RELEASED_FOR_SPACE)).isEqualTo(1);
    }

    @Test
    void whatWaitsGoesWhenItsVolumeRunsShortOfSpaceOrCannotBeAsked() {
        ReplicaId filling = read("BP-1", 1, "filling", 0);
        ReplicaId roomy = read("BP-1", 2, "roomy", 0);
        ReplicaId failing = read("BP-1", 3, "failing", 0);
        List.of(filling, roomy, failing).forEach(replica -> deletionDelay.admit(replica, 100, 0));
        assertThat(deletionDelay.doWork(1)).isZero();

        replicas.freeByVolume.put("filling", MIN_FREE - 1);
        replicas.freeByVolume.remove("failing");

        assertThat(deletionDelay.doWork(2)).isEqualTo(2);
        assertThat(replicas.deleted).containsExactly(filling, failing);
        assertThat(count(DeletionDelayCounter.RELEASED_FOR_SPACE)).isEqualTo(2);
    }

    @Test
    void settingsHoldForWhatWaitsAlready() {
        deletionDelay.admit(read("BP-1", 1, "v1", 0), 100, 0);

        config = on(2 * DELAY_MS, MAX_REPLICAS, MAX_BYTES);
        assertThat(deletionDelay.doWork(DELAY_MS)).isZero();
        config = new DeletionDelayConfig(false, DELAY_MS, MIN_FREE, MAX_REPLICAS, MAX_BYTES);
        assertThat(deletionDelay.doWork(DELAY_MS)).isEqualTo(1);
        assertThat(deletionDelay.admit(read("BP-1", 2, "v1", 0), 100, 0)).isFalse();
    }

    @Test
    void aBlockPoolThatStopsIsReleasedAndOneThatIsDeletedIsDropped() {
        ReplicaId stopped = read("BP-1", 1, "v1", 0);
        ReplicaId deleted = read("BP-2", 1, "v1", 0);
        ReplicaId other = read("BP-3", 1, "v1", 0);
        List.of(stopped, deleted, other).forEach(replica -> deletionDelay.admit(replica, 100, 0));

        assertThat(deletionDelay.releaseBlockPool("BP-1")).isEqualTo(1);
        deletionDelay.dropBlockPool("BP-2");

        assertThat(replicas.deleted).containsExactly(stopped);
        assertThat(deletionDelay.counts().pendingReplicas()).isEqualTo(1);
        assertThat(count(DeletionDelayCounter.RELEASED_AT_STOP)).isEqualTo(1);
        assertThat(count(DeletionDelayCounter.DROPPED_WITH_BLOCK_POOL)).isEqualTo(1);
    }

    @Test
    void atAStopAllIsReleasedAndNothingWaitsAnyMore() {
        ReplicaId first = read("BP-1", 1, "v1", 0);
        ReplicaId second = read("BP-2", 2, "v2", 0);
        deletionDelay.admit(first, 100, 0);
        deletionDelay.admit(second, 100, 0);

        assertThat(deletionDelay.stop()).isEqualTo(2);
        assertThat(deletionDelay.admit(read("BP-1", 3, "v1", 0), 100, 0)).isFalse();
        assertThat(replicas.deleted).containsExactly(first, second);
    }

    @Test
    void afterAFailureAllIsReleased() {
        ReplicaId replica = read("BP-1", 1, "v1", 0);
        deletionDelay.admit(replica, 100, 0);

        deletionDelay.failed();

        assertThat(replicas.deleted).containsExactly(replica);
        assertThat(count(DeletionDelayCounter.FAILURES)).isEqualTo(1);
        assertThat(count(DeletionDelayCounter.RELEASED_IN_TIME)).isZero();
        assertThat(count(DeletionDelayCounter.RELEASED_AFTER_FAILURE)).isPositive();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    /** Whatever happens in whatever order, no deletion is lost, none is doubled, and none is late. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noDeletionIsLostDoubledOrLate(long seed) {
        Random random = new Random(seed);
        List<ReplicaId> ordered = new ArrayList<>();
        List<ReplicaId> atOnce = new ArrayList<>();
        config = on(DELAY_MS, 20 + random.nextInt(20), 200 + random.nextInt(300));
        long nowMs = 0;
        for (int step = 0; step < 200; step++) {
            nowMs += random.nextInt(2_000);
            if (random.nextInt(4) > 0) {
                ReplicaId replica = read("BP-" + random.nextInt(2), step, "v" + random.nextInt(3), nowMs);
                ordered.add(replica);
                if (random.nextInt(5) == 0) {
                    deletionDelay.foundBad(replica);
                }
                if (!deletionDelay.admit(replica, 10, nowMs)) {
                    atOnce.add(replica);
                }
            } else {
                replicas.freeByVolume.put("v" + random.nextInt(3), random.nextBoolean() ? 0 : Long.MAX_VALUE);
            }
            deletionDelay.doWork(nowMs);
            assertThat(deletionDelay.counts().pendingBytes())
                    .as("seed %s step %s", seed, step)
                    .isEqualTo(10L * (ordered.size() - atOnce.size() - replicas.deleted.size()));
        }
        deletionDelay.doWork(nowMs + DELAY_MS);

        List<ReplicaId> all = new ArrayList<>(atOnce);
        all.addAll(replicas.deleted);
        assertThat(all).as("seed %s", seed).containsExactlyInAnyOrderElementsOf(ordered);
        assertThat(deletionDelay.counts().pendingReplicas()).as("seed %s", seed).isZero();
    }

    private long count(DeletionDelayCounter counter) {
        return deletionDelay.counts().count(counter);
    }
}
