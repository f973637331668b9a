// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.LoggedLines;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions that can't be planned take no turns of those that can. */
class RegionFailureTrackerTest {

    private static final long HOUR_MS = 3_600_000;

    private final FakeCluster cluster = new FakeCluster();

    @ParameterizedTest
    @CsvSource({"NOT_PERMITTED, 1", "UNREADABLE, 1", "NOT_PERMITTED, 16"})
    void aTableThatMayNotBeReadDoesNotHoldUpOthers(UnknownReason reason, int regionsOfACall) {
        cluster.hdfs.atATime = regionsOfACall;
        for (int number = 0; number < 300; number++) {
            serve(String.format("a%03d", number), "locked", HealRank.FIRST);
        }
        cluster.hdfs.listing = (region, files) -> isLocked(region) ? Observed.unknown(reason, "no") : files;
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.isLocal("c1")).isTrue();
        assertThat(cluster.metrics.get(HealingCounter.NAMENODE_FAILURES)).isZero();
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE)).isBetween(2L, 10L);
    }

    /** Those that can't be read are of the first rank, so that by the queue alone they would have every turn. */
    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void ofTenLooksOneAtMostIsInVainWhileOthersWait(int regionsOfACall) {
        cluster.hdfs.atATime = regionsOfACall;
        for (int number = 0; number < 300; number++) {
            serve(String.format("a%03d", number), "locked" + number, HealRank.FIRST);
        }
        cluster.hdfs.listing =
                (region, files) -> isLocked(region) ? Observed.unknown(UnknownReason.NOT_PERMITTED, "no") : files;
        cluster.run(20_000);
        long inVain = cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE);
        assertThat(inVain).as("each is met once").isGreaterThanOrEqualTo(300);
        // Nothing is looked at until all of them are due, and others as well.
        cluster.enable(false);
        for (int number = 0; number < 300; number++) {
            EncodedRegionName open = serve(String.format("b%03d", number), "open", HealRank.USER);
            cluster.hdfs.addFile(
                    open,
                    new StoreFile("/open/" + number, 3, false, true, List.of(block(9_000 + number, "c1", "b1", "b2"))));
        }
        cluster.run(HOUR_MS);
        cluster.enable(true);
        inVain = cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE);
        long before = cluster.metrics.get(HealingCounter.REGIONS_LISTED);
        long looks = 0;
        while (looks < 100) {
            cluster.run(100);
            looks = cluster.metrics.get(HealingCounter.REGIONS_LISTED) - before;
        }
        long inVainNow = cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE) - inVain;

        assertThat(inVainNow).as("of %d looks", looks).isBetween(1L, looks / 10 + 1);
    }

    @Test
    void afterALookAtSeveralThatNeverEndedEachIsLookedAtByItself() {
        RegionFailureTracker failures = new RegionFailureTracker();
        ServedRegion region = cluster.served.get(serve("a1", "t", HealRank.USER));

        assertThat(failures.mayLookUpTogether()).isTrue();
        failures.lookUpTogether(true);
        failures.lookUpTogether(false);
        assertThat(failures.mayLookUpTogether()).isTrue();
        failures.lookUpTogether(true);
        for (int attempt = 0; attempt < RegionFailureTracker.APART; attempt++) {
            assertThat(failures.mayLookUpTogether()).isFalse();
            failures.attemptStarted(region);
        }
        assertThat(failures.mayLookUpTogether()).isTrue();
    }

    @Test
    void whatMayBeReadAgainIsHealed() {
        serve("a1", "locked", HealRank.FIRST);
        serve("a2", "locked", HealRank.FIRST);
        cluster.hdfs.addFile(new EncodedRegionName("a1"), file("a1", 101));
        cluster.hdfs.addFile(new EncodedRegionName("a2"), file("a2", 102));
        cluster.hdfs.listing =
                (region, files) -> isLocked(region) ? Observed.unknown(UnknownReason.NOT_PERMITTED, "no") : files;
        cluster.run(HOUR_MS);
        assertThat(cluster.hdfs.moved).isEmpty();

        cluster.hdfs.listing = (region, files) -> files;
        cluster.healerState.requests().healNow(Set.of(new EncodedRegionName("a1")));
        cluster.run(30_000);
        assertThat(cluster.hdfs.moved).as("who asks for one asks for its table").isNotEmpty();
        cluster.run(2 * HOUR_MS);
        assertThat(cluster.hdfs.moved).hasSize(2);
    }

    @Test
    void aRegionWhoseFilesMakePlanningFailIsPutAsideAndOthersGoOn() {
        EncodedRegionName poison = serve("a1", "poison", HealRank.FIRST);
        cluster.hdfs.listing = (region, files) -> {
            if (region.region().equals(poison)) {
                throw new IllegalStateException("a file of 0 replicas");
            }
            return files;
        };
        try (LoggedLines logged = new LoggedLines(HealingLoop.class, "An attempt at region")) {
            cluster.serve("c1", 0, 200);
            cluster.run(60_000);
            assertThat(cluster.isLocal("c1")).isTrue();

            cluster.run(HOUR_MS / 2);
            assertThat(cluster.metrics.get(HealingCounter.ATTEMPTS_FAILED)).isEqualTo(RegionFailureTracker.BREAKS);
            assertThat(cluster.metrics.get(HealingCounter.REGIONS_QUARANTINED)).isEqualTo(1);
            assertThat(logged.lines())
                    .as("the first failure, and that it is quarantined")
                    .containsExactly(
                            "An attempt at region a1 of poison has failed",
                            "An attempt at region a1 of poison has failed, 3 times in a row: it is left alone for an hour");

            logged.lines().clear();
            cluster.run(HOUR_MS);
            assertThat(cluster.metrics.get(HealingCounter.ATTEMPTS_FAILED))
                    .as("once more after an hour")
                    .isEqualTo(RegionFailureTracker.BREAKS + 1);
            assertThat(cluster.metrics.get(HealingCounter.REGIONS_QUARANTINED)).isEqualTo(2);
            assertThat(logged.lines())
                    .containsExactly(
                            "An attempt at region a1 of poison has failed, 3 times in a row: it is left alone for an hour");
        }
    }

    @Test
    void aRegionThatEndsTheLoopIsPutAsideToo() {
        EncodedRegionName poison = serve("a1", "poison", HealRank.FIRST);
        cluster.hdfs.listing = (region, files) -> {
            if (region.region().equals(poison)) {
                throw new StackOverflowError("references to references");
            }
            return files;
        };
        cluster.serve("c1", 0, 200);
        int failures = 0;
        for (int turn = 0; turn < 3_000; turn++) {
            try {
                cluster.run(100);
            } catch (StackOverflowError ended) {
                failures++;
                cluster.makeLoopAnew();
                cluster.nowMs += 10_000;
            }
        }

        assertThat(failures).isEqualTo(RegionFailureTracker.BREAKS);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_QUARANTINED)).isEqualTo(1);
        assertThat(cluster.isLocal("c1")).isTrue();
    }

    /** Where no block can be moved files are listed to be compacted, and not for a plan. */
    @Test
    void aRegionWhoseFilesMakeItsCompactionFailDoesNotEndTheLoop() {
        EncodedRegionName poison = serve("a1", "poison", HealRank.FIRST);
        cluster.hdfs.listing = (region, files) -> {
            if (region.region().equals(poison)) {
                throw new IllegalStateException("a link that names no file");
            }
            return files;
        };
        cluster.hdfs.missingPrivilege = Optional.of("no block keys");
        cluster.set(HealPolicies.with(Map.of("fallback", "major-compact")));
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.compacted).containsExactly("r1/f");
        assertThat(cluster.metrics.get(HealingCounter.ATTEMPTS_FAILED)).isPositive();
    }

    private static boolean isLocked(ServedRegion region) {
        return region.table().name().startsWith("locked");
    }

    private static StoreFile file(String region, int number) {
        return new StoreFile("/" + region, 3, false, true, List.of(block(number, "a1", "b1", "b2")));
    }

    private EncodedRegionName serve(String name, String table, HealRank rank) {
        EncodedRegionName region = new EncodedRegionName(name);
        cluster.served.put(
                region,
                new ServedRegion(
                        region,
                        new TableId(table),
                        rank,
                        TableHealingMode.ON,
                        new ServerId("c1", 16020, 1),
                        Optional.of(new ReportedLocality(1, 100))));
        return region;
    }
}
