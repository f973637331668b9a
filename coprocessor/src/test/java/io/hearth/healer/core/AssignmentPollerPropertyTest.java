// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.ChurningCluster;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.queue.HealQueue;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import io.hearth.healer.queue.PollHints;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Crashes, restarts, new servers, splits, merges, balancer moves and manual moves, at random, while any hint may be lost:
 * every region that has come to a server is looked at within a poll period of having settled there.
 */
class AssignmentPollerPropertyTest {

    private static final int TURN_MS = 250;
    private static final int TURNS = 4_000;

    private final HealingConfig config =
            HealingSettings.read("test", new MapSettings(Map.of())).config();
    private final PollHints hints = new PollHints(() -> {});
    private final Map<EncodedRegionName, Promise> promises = new TreeMap<>();
    private HealQueue queue = new HealQueue();

    /** A region that has come to a server and has to be looked at by then. */
    private record Promise(ServerId server, long untilMs) {}

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60L * Integer.getInteger("hearth.test.repetitions", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyChangeIsFoundWhateverHintsAreLost(long seed) {
        Random random = new Random(seed);
        ChurningCluster cluster = new ChurningCluster(random);
        double hintsKept = seed % 3 == 0 ? 0 : random.nextDouble();
        AssignmentPoller poller = newPoller(cluster);
        int found = 0;
        for (long nowMs = 0; nowMs < (long) TURNS * TURN_MS; nowMs += TURN_MS) {
            if (nowMs > 20_000 && random.nextInt(40) == 0) {
                String what = cluster.change();
                if (random.nextDouble() < hintsKept) {
                    hints.leave();
                }
                assertThat(what).isNotEmpty();
            }
            promise(cluster, nowMs);
            if (random.nextInt(1_000) == 0) {
                poller = masterChanges(cluster, nowMs);
            }
            poller.doWork(config, nowMs);
            found += work(nowMs);
            assertThatNoneIsLate(seed, nowMs);
        }
        assertThat(found).as("regions looked at, seed %d", seed).isGreaterThan(10);
    }

    private AssignmentPoller newPoller(ChurningCluster cluster) {
        queue = new HealQueue();
        return new AssignmentPoller(cluster, hints, queue, new CountedMetrics(), () -> 1);
    }

    /** The new master was not there: what it can go by is what the servers report. */
    private AssignmentPoller masterChanges(ChurningCluster cluster, long nowMs) {
        promises.keySet().removeIf(region -> !cluster.isReportedLow(region));
        promises.replaceAll((region, promise) -> new Promise(promise.server(), deadlineMs(nowMs)));
        return newPoller(cluster);
    }

    private void promise(ChurningCluster cluster, long nowMs) {
        for (ServedRegion region : cluster.takeArrived()) {
            if (cluster.isBackWhereItWasSeen(region)) {
                promises.remove(region.region());
            } else {
                promises.put(region.region(), new Promise(region.server(), deadlineMs(nowMs)));
            }
        }
        promises.keySet().retainAll(cluster.served().keySet());
    }

    private long deadlineMs(long nowMs) {
        return nowMs + config.pollMs() + config.regionStableMs() + TURN_MS;
    }

    /** Everything that is due is checked, and found to be local. */
    private int work(long nowMs) {
        int looked = 0;
        for (Optional<ServedRegion> due = queue.take(nowMs, server -> true);
                due.isPresent();
                due = queue.take(nowMs, server -> true)) {
            ServedRegion region = due.get();
            promises.computeIfPresent(
                    region.region(), (id, promise) -> promise.server().equals(region.server()) ? null : promise);
            queue.ended(region, AttemptResult.COMPLETED, LoopTuning.queue(config), nowMs);
            looked++;
        }
        return looked;
    }

    private void assertThatNoneIsLate(long seed, long nowMs) {
        promises.forEach((region, promise) -> assertThat(nowMs)
                .as("seed %d: region %s on %s was not looked at", seed, region, promise.server())
                .isLessThanOrEqualTo(promise.untilMs()));
    }
}
