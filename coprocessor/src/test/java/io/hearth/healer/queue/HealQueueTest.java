// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ExponentialBackoff;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.Compaction;
import io.hearth.healer.model.Compaction.Phase;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealQueue.AttemptResult;
import io.hearth.healer.queue.HealQueue.QueueConfig;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HealQueueTest {

    private static final long REGION_STABLE_MS = 30_000;
    private static final QueueConfig CONFIG =
            new QueueConfig(1.0, REGION_STABLE_MS, new ExponentialBackoff(10_000, 160_000));

    private final HealQueue queue = new HealQueue();
    private final Map<String, RegionHeat> heatByName = new HashMap<>();

    @Test
    void nothingIsDueWhereEverythingIsLocal() {
        snapshot(0, region("r1", "s1", 100, 100), region("r2", "s2", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aRegionBelowTheThresholdIsDueOnceItHasSettled() {
        snapshot(0, region("r1", "s1", 99, 100));

        assertThat(due(REGION_STABLE_MS - 1)).isEmpty();
        assertThat(due(REGION_STABLE_MS)).containsExactly("r1");
        assertThat(due(REGION_STABLE_MS)).as("it is in hand").isEmpty();
    }

    @Test
    void theBytesLeftAreThoseOfRegionsThatWaitOrAreBeingHealed() {
        snapshot(0, region("r1", "s1", 30, 100), region("r2", "s2", 60, 100), region("r3", "s2", 0, 100));
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 70L, "s2", 140L));

        snapshot(10_000, region("r1", "s1", 50, 100), region("r2", "s1", 0, 100), region("r3", "s2", 100, 100));
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 150L));
        ServedRegion first =
                queue.take(10_000 + REGION_STABLE_MS, server -> true).orElseThrow();
        assertThat(queue.remoteBytesByHost()).as("it is in hand").isEqualTo(Map.of("s1", 150L));
        queue.ended(first, AttemptResult.COMPLETED, CONFIG, 50_000);
        assertThat(queue.remoteBytesByHost())
                .as("local, whatever its server reports")
                .isEqualTo(Map.of("s1", 150 - first.reported().orElseThrow().nonLocalBytes()));
        snapshot(60_000);
        assertThat(queue.remoteBytesByHost()).isEmpty();
    }

    @Test
    void whereTheLastAttemptWonNothingNothingIsOnItsWay() {
        snapshot(0, region("r1", "s1", 20, 100));
        ServedRegion worked = queue.take(REGION_STABLE_MS, server -> true).orElseThrow();
        queue.listed(worked, 80);
        queue.ended(worked, AttemptResult.UNFINISHED, CONFIG, 40_000);
        assertThat(queue.remoteBytesByHost()).isEmpty();
        assertThat(queue.size()).isEqualTo(1);

        ServedRegion again = queue.take(3_600_000, server -> true).orElseThrow();
        assertThat(queue.remoteBytesByHost()).as("it is in hand").isEqualTo(Map.of("s1", 80L));
        queue.ended(again, AttemptResult.PROGRESSED, CONFIG, 3_700_000);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 80L));
    }

    /** Most servers report it only once they open the region again; those that look it up say so step by step. */
    @Test
    void whatHasComeToARegionIsNotLeftWhateverItsServerReports() {
        snapshot(0, region("r1", "s1", 20, 100));
        ServedRegion worked = queue.take(REGION_STABLE_MS, server -> true).orElseThrow();
        queue.listed(worked, 80);
        queue.healed(worked, 30);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 50L));
        queue.ended(worked, AttemptResult.PROGRESSED, CONFIG, 40_000);
        assertThat(queue.remoteBytesByHost()).as("the rest waits").isEqualTo(Map.of("s1", 50L));

        snapshot(50_000, region("r1", "s1", 120, 200));
        assertThat(queue.remoteBytesByHost()).as("a flush").isEqualTo(Map.of("s1", 50L));
        snapshot(60_000, region("r1", "s1", 140, 200));
        assertThat(queue.remoteBytesByHost()).as("reported in part").isEqualTo(Map.of("s1", 50L));
        snapshot(70_000, region("r1", "s1", 160, 200));
        assertThat(queue.remoteBytesByHost()).as("and more than that").isEqualTo(Map.of("s1", 40L));
        snapshot(80_000, region("r1", "s1", 100, 200));
        assertThat(queue.remoteBytesByHost()).as("a new file").isEqualTo(Map.of("s1", 100L));

        queue.listed(region("r1", "s1", 100, 200), 100);
        queue.healed(region("r1", "s1", 100, 200), 70);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 30L));
        snapshot(90_000, region("r1", "s2", 100, 200));
        assertThat(queue.remoteBytesByHost()).as("of another server").isEqualTo(Map.of("s2", 100L));
        queue.healed(worked, 10);
        assertThat(queue.remoteBytesByHost()).as("too late").isEqualTo(Map.of("s2", 100L));
        snapshot(100_000);
        assertThat(queue.remoteBytesByHost()).isEmpty();
    }

    /** A server that looks blocks up reports them seconds before their moves are confirmed. Broken (both are left out): 20 are left. */
    @Test
    void whatIsReportedBeforeItIsConfirmedIsLeftOutOnce() {
        snapshot(0, region("r1", "s1", 20, 100));
        ServedRegion worked = queue.take(REGION_STABLE_MS, server -> true).orElseThrow();
        queue.listed(worked, 80);
        snapshot(40_000, region("r1", "s1", 50, 100));
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 50L));

        queue.healed(worked, 30);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 50L));
        queue.healed(worked, 40);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 10L));
        snapshot(50_000, region("r1", "s1", 90, 100));
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 10L));
    }

    /** Broken (what is confirmed is added up over the attempts): 20 are left. */
    @Test
    void whatIsUndoneAndConfirmedOnceMoreIsLeftOutOnce() {
        snapshot(0, region("r1", "s1", 20, 100));
        ServedRegion worked = queue.take(REGION_STABLE_MS, server -> true).orElseThrow();
        queue.listed(worked, 80);
        queue.healed(worked, 30);
        queue.ended(worked, AttemptResult.PROGRESSED, CONFIG, 40_000);
        assertThat(queue.take(50_000, server -> true)).isPresent();
        queue.listed(worked, 80);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 80L));

        queue.healed(worked, 30);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 50L));
    }

    /** Broken (what was healed is left out for ever): nothing is left of a region whose replicas went with their DataNode. */
    @Test
    void whatWasHealedIsLeftAgainWhereItIsDoubted() {
        snapshot(0, region("r1", "s1", 20, 100));
        ServedRegion worked = queue.take(REGION_STABLE_MS, server -> true).orElseThrow();
        queue.listed(worked, 80);
        queue.healed(worked, 80);
        queue.ended(worked, AttemptResult.COMPLETED, CONFIG, 40_000);
        assertThat(queue.remoteBytesByHost()).isEmpty();

        assertThat(queue.recheck(Map.of(worked.region(), "s1"), CONFIG, 50_000)).isEqualTo(1);
        assertThat(queue.remoteBytesByHost()).isEqualTo(Map.of("s1", 80L));
    }

    @Test
    void theThresholdIsTheLineBelowWhichARegionIsLow() {
        QueueConfig lenient = new QueueConfig(0.9, 0, CONFIG.backoff());
        queue.observe(
                AssignmentSnapshot.of(List.of(region("at", "s", 90, 100), region("below", "s", 89, 100)), List.of()),
                lenient,
                this::heat,
                0);

        assertThat(due(0)).containsExactly("below");
    }

    @Test
    void aMovedRegionIsDueWhateverIsReported() {
        snapshot(0, region("r1", "s1", 100, 100));
        snapshot(10_000, region("r1", "s2", 100, 100));

        assertThat(due(10_000 + REGION_STABLE_MS - 1)).isEmpty();
        assertThat(due(10_000 + REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void aRegionThatMovesOnStartsSettlingAgain() {
        snapshot(0, region("r1", "s1", 100, 100));
        snapshot(10_000, region("r1", "s2", 0, 100));
        snapshot(20_000, region("r1", "s3", 0, 100));

        assertThat(due(10_000 + REGION_STABLE_MS)).isEmpty();
        assertThat(due(20_000 + REGION_STABLE_MS)).containsExactly("r1");
    }

    /** Four times as many regions are 4.1 times the work. Broken (each region is looked for in all that wait): 15 times. */
    @Test
    void aHealOfEverythingIsNoSquare() throws Exception {
        long ofFew = WorkCounter.of(HealOfEverything.class, 2_000);
        long ofMany = WorkCounter.of(HealOfEverything.class, 8_000);

        assertThat((double) ofMany / ofFew).isLessThan(5.5);
        assertThat((double) ofMany / 8_000).isLessThan(1_000);
    }

    /** All regions wait, somebody asks for all of them, and one after the other is taken and ends. */
    private static final class HealOfEverything implements IntConsumer {

        private final HealQueue queue = new HealQueue();

        @Override
        public void accept(int regions) {
            List<ServedRegion> all = IntStream.range(0, regions)
                    .mapToObj(number -> region("r" + number, "s" + number % 100, 10, 100))
                    .toList();
            queue.observe(
                    AssignmentSnapshot.of(all, List.of()), CONFIG, region -> new Unknown(Reason.NEVER_REPORTED), 0);

            queue.healNow(all.stream().map(ServedRegion::region).collect(Collectors.toSet()), CONFIG, REGION_STABLE_MS);
            for (int left = regions; left > 0; left--) {
                ServedRegion next = queue.take(REGION_STABLE_MS, server -> true).orElseThrow();
                queue.ended(next, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
            }

            assertThat(queue.take(REGION_STABLE_MS, server -> true)).isEmpty();
        }
    }

    @Test
    void aRegionInTransitionIsNotDueUntilItIsServed() {
        snapshot(0, region("r1", "s1", 0, 100));
        queue.observe(
                AssignmentSnapshot.of(List.of(), List.of(new EncodedRegionName("r1"))), CONFIG, this::heat, 10_000);
        assertThat(due(REGION_STABLE_MS)).isEmpty();

        snapshot(40_000, region("r1", "s1", 100, 100));
        assertThat(due(40_000 + REGION_STABLE_MS)).as("it was reopened").containsExactly("r1");
    }

    @Test
    void aNewRegionIsDueAsAMovedOneIs() {
        snapshot(0, region("r1", "s1", 100, 100));
        snapshot(10_000, region("r1", "s1", 100, 100), region("daughter", "s1", 0, 0));

        assertThat(due(10_000 + REGION_STABLE_MS)).containsExactly("daughter");
    }

    @Test
    void anUnreportedRegionWaitsForItsReport() {
        ServedRegion unreported = new ServedRegion(
                new EncodedRegionName("r1"),
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                server("s1"),
                Optional.empty());
        snapshot(0, unreported);
        assertThat(due(REGION_STABLE_MS)).isEmpty();

        snapshot(40_000, region("r1", "s1", 0, 100));
        assertThat(due(40_000 + REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void whereTheReportStaysLowTheNameNodeIsAskedLessAndLess() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low);
        long nowMs = REGION_STABLE_MS;
        for (long waitMs : new long[] {10_000, 20_000, 40_000, 80_000, 160_000, 160_000}) {
            assertThat(due(nowMs)).containsExactly("r1");
            queue.ended(low, AttemptResult.COMPLETED, CONFIG, nowMs);
            snapshot(nowMs + 1, low);
            assertThat(due(nowMs + waitMs - 1)).isEmpty();
            nowMs += waitMs;
        }
        assertThat(queue.size()).as("settled according to the NameNode").isZero();
    }

    @Test
    void aChangedReportStartsOver() {
        snapshot(0, region("r1", "s1", 0, 100));
        long nowMs = REGION_STABLE_MS;
        for (int i = 0; i < 5; i++, nowMs += 200_000) {
            assertThat(due(nowMs)).hasSize(1);
            queue.ended(region("r1", "s1", 0, 100), AttemptResult.COMPLETED, CONFIG, nowMs);
        }
        nowMs -= 200_000;

        snapshot(nowMs + 1_000, region("r1", "s1", 50, 100));
        snapshot(nowMs + 2_000, region("r1", "s1", 50, 100));
        assertThat(due(nowMs + 9_999)).isEmpty();
        assertThat(due(nowMs + 10_000)).containsExactly("r1");
    }

    @Test
    void whatIsReportedLocalAgainIsLeftAlone() {
        snapshot(0, region("r1", "s1", 0, 100));
        due(REGION_STABLE_MS);
        queue.ended(region("r1", "s1", 0, 100), AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
        snapshot(REGION_STABLE_MS + 1, region("r1", "s1", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
    }

    @Test
    void whatIsUnfinishedComesAgainEvenIfTheReportIsHigh() {
        snapshot(0, region("r1", "s1", 100, 100));
        snapshot(1, region("r1", "s2", 100, 100));
        assertThat(due(1 + REGION_STABLE_MS)).containsExactly("r1");
        queue.ended(region("r1", "s2", 100, 100), AttemptResult.UNKNOWN, CONFIG, 50_000);
        snapshot(50_001, region("r1", "s2", 100, 100));

        assertThat(due(59_999)).isEmpty();
        assertThat(due(60_000)).containsExactly("r1");
    }

    @Test
    void theEndOfWorkOnAnotherServerChangesNothing() {
        snapshot(0, region("r1", "s1", 0, 100));
        due(REGION_STABLE_MS);
        snapshot(40_000, region("r1", "s2", 0, 100));
        queue.ended(region("r1", "s1", 0, 100), AttemptResult.COMPLETED, CONFIG, 50_000);

        assertThat(due(40_000 + REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void aTableThatIsOffIsLeftAlone() {
        snapshot(0, region("r1", "s1", 0, 100, HealRank.USER, TableHealingMode.OFF));
        assertThat(due(REGION_STABLE_MS)).isEmpty();

        snapshot(40_000, region("r1", "s1", 0, 100, HealRank.USER, TableHealingMode.ON));
        assertThat(due(40_000 + REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void systemTablesComeFirstThenTheMostNonLocalBytes() {
        snapshot(
                0,
                region("small", "s1", 90, 100),
                region("large", "s1", 0, 1_000),
                region("chosen", "s1", 99, 100, HealRank.FIRST, TableHealingMode.FIRST),
                region("meta", "s1", 99, 100, HealRank.META, TableHealingMode.ON),
                region("acl", "s1", 99, 100, HealRank.SYSTEM, TableHealingMode.ON));

        assertThat(due(REGION_STABLE_MS)).containsExactly("meta", "acl", "chosen", "large", "small");
    }

    @Test
    void whatEndsMostRemoteReadsForEachByteComesFirst() {
        reads("hot-and-large", 100);
        reads("hot-and-small", 50);
        reads("cold", 1);
        snapshot(
                0,
                region("hot-and-large", "s1", 7_000, 10_000),
                region("hot-and-small", "s1", 0, 2_000),
                region("cold", "s1", 0, 20_000),
                region("nobody-knows", "s1", 0, 5_000),
                region("nobody-knows-either", "s1", 4_000, 5_000));

        assertThat(due(REGION_STABLE_MS))
                .containsExactly("hot-and-small", "hot-and-large", "nobody-knows", "nobody-knows-either", "cold");
    }

    @Test
    void readFromNothingIsColderThanUnknown() {
        reads("idle", 0);
        snapshot(0, region("idle", "s1", 0, 1_000), region("nobody-knows", "s1", 999, 1_000));

        assertThat(due(REGION_STABLE_MS)).containsExactly("nobody-knows", "idle");
    }

    @Test
    void whatIsReportedLocalComesLast() {
        reads("moved", 1_000);
        snapshot(0, region("idle", "s1", 0, 1_000), region("moved", "s1", 10, 10));
        snapshot(1, region("idle", "s1", 0, 1_000), region("moved", "s2", 10, 10));

        assertThat(due(1 + REGION_STABLE_MS)).containsExactly("idle", "moved");
    }

    @Test
    void aServerThatHasNoRoomIsPassedOver() {
        reads("hot", 100);
        reads("warm", 10);
        reads("cold", 1);
        snapshot(0, region("hot", "full", 0, 100), region("cold", "free", 0, 100), region("warm", "full", 0, 100));

        assertThat(due(REGION_STABLE_MS, server -> server.host().equals("free")))
                .containsExactly("cold");
        assertThat(due(REGION_STABLE_MS)).containsExactly("hot", "warm");
    }

    @Test
    void aRegionThatIsBeingCompactedIsLeftAlone() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, compacting(low, Phase.RUNNING));
        snapshot(REGION_STABLE_MS, compacting(low, Phase.RUNNING));
        assertThat(due(10 * REGION_STABLE_MS)).isEmpty();

        snapshot(2 * REGION_STABLE_MS, compacting(low, Phase.QUEUED));
        assertThat(due(2 * REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void aRegionThatHasLongSettledIsDueAsSoonAsItsReportFalls() {
        snapshot(0, region("r1", "s1", 100, 100));
        snapshot(10 * REGION_STABLE_MS, region("r1", "s1", 50, 100));

        assertThat(due(10 * REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void sizeCountsWhatIsOpen() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low, region("r2", "s1", 0, 100), region("local", "s1", 100, 100));
        assertThat(queue.size()).isEqualTo(2);
        due(REGION_STABLE_MS);
        assertThat(queue.size()).as("in hand").isEqualTo(2);
        queue.ended(low, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
        assertThat(queue.size()).isEqualTo(1);
        snapshot(REGION_STABLE_MS + 1, low);
        assertThat(queue.size()).as("the other one is gone").isZero();
    }

    private void reads(String name, double perSecond) {
        LoadVector load = LoadVector.ofReads(perSecond);
        heatByName.put(name, new Known(load, load));
    }

    private static ServedRegion compacting(ServedRegion region, Phase phase) {
        return new ServedRegion(
                region.region(),
                region.table(),
                region.rank(),
                region.mode(),
                region.server(),
                region.reported(),
                new Compaction(phase, 0));
    }

    @Test
    void aRegionThatIsGoneIsForgotten() {
        snapshot(0, region("r1", "s1", 0, 100));
        snapshot(1, region("r2", "s1", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).containsExactly("r2");
    }

    @Test
    void whatAPersonAsksForIsNextWhateverCameOfTheLastAttempt() {
        ServedRegion local = region("r1", "s1", 100, 100);
        ServedRegion hot = region("r2", "s2", 0, 100);
        ServedRegion settled = region("r3", "s3", 0, 100);
        snapshot(0, local, hot, settled);
        assertThat(due(REGION_STABLE_MS)).containsExactly("r2", "r3");
        queue.ended(settled, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
        queue.ended(hot, AttemptResult.UNFINISHED, CONFIG, REGION_STABLE_MS);

        queue.healNow(
                Set.of(new EncodedRegionName("r1"), new EncodedRegionName("r3"), new EncodedRegionName("gone")),
                CONFIG,
                REGION_STABLE_MS + 1);

        assertThat(due(REGION_STABLE_MS + 1))
                .as("the others wait for their time")
                .containsExactly("r3", "r1");
        queue.ended(local, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS + 2);
        snapshot(REGION_STABLE_MS + 3, local, hot, settled);
        assertThat(due(REGION_STABLE_MS + 3)).as("a request is for once").isEmpty();
    }

    @Test
    void aRequestComesBeforeWhatIsDueAlreadyAndIsNotDoubled() {
        snapshot(0, region("r1", "s1", 0, 100), region("r2", "s1", 90, 100));
        assertThat(due(REGION_STABLE_MS, server -> false)).isEmpty();

        queue.healNow(Set.of(new EncodedRegionName("r2")), CONFIG, REGION_STABLE_MS);
        queue.healNow(Set.of(new EncodedRegionName("r2")), CONFIG, REGION_STABLE_MS);

        assertThat(due(REGION_STABLE_MS)).containsExactly("r2", "r1");
    }

    @Test
    void aRequestAgainstTheTableComesToNothing() {
        snapshot(0, region("r1", "s1", 0, 100, HealRank.USER, TableHealingMode.OFF));
        queue.healNow(Set.of(new EncodedRegionName("r1")), CONFIG, 1);
        assertThat(due(REGION_STABLE_MS)).isEmpty();
    }

    @Test
    void aStaleLocalityIsForWhatNothingCallsForAndComesLast() {
        ServedRegion low = region("r1", "s1", 50, 100);
        ServedRegion local = region("r2", "s1", 100, 100);
        ServedRegion off = region("r3", "s1", 100, 100, HealRank.USER, TableHealingMode.OFF);
        snapshot(0, low, local, off);
        Map<EncodedRegionName, String> all = Map.of(
                new EncodedRegionName("r1"),
                "s1",
                new EncodedRegionName("r2"),
                "s1",
                new EncodedRegionName("r3"),
                "s1",
                new EncodedRegionName("gone"),
                "s1");

        assertThat(queue.recheck(all, CONFIG, REGION_STABLE_MS)).isEqualTo(1);
        assertThat(queue.recheck(all, CONFIG, REGION_STABLE_MS))
                .as("it waits already")
                .isZero();
        assertThat(due(REGION_STABLE_MS)).containsExactly("r1", "r2");
        assertThat(queue.recheck(all, CONFIG, REGION_STABLE_MS))
                .as("it is in hand")
                .isZero();

        queue.ended(local, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
        assertThat(queue.recheck(Map.of(new EncodedRegionName("r2"), "s2"), CONFIG, REGION_STABLE_MS + 1))
                .as("of a server that it has left")
                .isZero();
        assertThat(queue.recheck(all, CONFIG, REGION_STABLE_MS + 1))
                .as("it has gone again")
                .isEqualTo(1);
    }

    @Test
    void whatWaitsIsNotLeftAsSettledAndIsFoundToHaveComeByTheNextQueue() {
        assertThat(queue.settled()).isSameAs(AssignmentSnapshot.EMPTY);
        ServedRegion low = region("low", "s1", 50, 100);
        ServedRegion local = region("local", "s1", 100, 100);
        EncodedRegionName opening = new EncodedRegionName("opening");
        queue.observe(AssignmentSnapshot.of(List.of(low, local), List.of(opening)), CONFIG, this::heat, 0);

        AssignmentSnapshot settled = queue.settled();
        assertThat(settled.servedById()).containsOnlyKeys(local.region());
        assertThat(settled.unserved()).containsExactly(opening);
        HealQueue next = new HealQueue(settled);
        next.observe(
                AssignmentSnapshot.of(List.of(region("low", "s1", 100, 100), local), List.of()),
                CONFIG,
                this::heat,
                1_000);
        assertThat(next.hasDue(1_000 + REGION_STABLE_MS - 1)).isFalse();
        assertThat(next.take(1_000 + REGION_STABLE_MS, server -> true))
                .map(region -> region.region().encodedName())
                .contains("low");
    }

    @Test
    void aRequestMayComeBeforeTheFirstPoll() {
        ServedRegion low = region("low", "s1", 50, 100);
        HealQueue next = new HealQueue(AssignmentSnapshot.of(List.of(low), List.of()));
        next.healNow(Set.of(low.region()), CONFIG, 0);

        assertThat(next.take(0, server -> true)).contains(low);
    }

    @Test
    void aRequestForWhatIsBeingCompactedWaitsForItsEnd() {
        ServedRegion local = region("r1", "s1", 100, 100);
        snapshot(0, compacting(local, Phase.RUNNING));
        queue.healNow(Set.of(local.region()), CONFIG, 0);
        assertThat(due(REGION_STABLE_MS)).isEmpty();
        snapshot(REGION_STABLE_MS, local);

        assertThat(due(REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void aSnapshotThatIsTheOneBeforeChangesNothingUnlessOtherRulesHold() {
        AssignmentSnapshot snapshot = AssignmentSnapshot.of(List.of(region("r1", "s1", 80, 100)), List.of());
        QueueConfig lenient = new QueueConfig(0.5, REGION_STABLE_MS, CONFIG.backoff());
        queue.observe(snapshot, lenient, this::heat, 0);
        assertThat(queue.observe(snapshot, lenient, this::heat, 1)).isSameAs(AssignmentDiff.EMPTY);
        queue.observe(snapshot, CONFIG, this::heat, 2 * REGION_STABLE_MS);

        assertThat(due(2 * REGION_STABLE_MS)).containsExactly("r1");
    }

    @Test
    void whatWaitsIsRankedByTheHeatAsItIsNow() {
        AssignmentSnapshot snapshot =
                AssignmentSnapshot.of(List.of(region("r1", "s1", 0, 100), region("r2", "s1", 0, 100)), List.of());
        reads("r1", 10);
        reads("r2", 5);
        queue.observe(snapshot, CONFIG, this::heat, 0);
        reads("r2", 20);
        queue.observe(snapshot, CONFIG, this::heat, 1);

        assertThat(due(REGION_STABLE_MS)).containsExactly("r2", "r1");
    }

    @Test
    void aPollSaysWhatHasMovedLeftAndGone() {
        snapshot(0, region("stays", "s1", 100, 100), region("moves", "s1", 100, 100), region("opens", "s1", 100, 100));
        AssignmentSnapshot next = AssignmentSnapshot.of(
                List.of(region("stays", "s1", 100, 100), region("moves", "s2", 100, 100), region("new", "s1", 1, 1)),
                List.of(new EncodedRegionName("opens")));
        assertThat(queue.observe(next, CONFIG, this::heat, 1))
                .isEqualTo(diff("moves new", "moves@s1 opens@s1", "", "s1 s2"));
        assertThat(queue.observe(next, CONFIG, this::heat, 2)).isEqualTo(AssignmentDiff.EMPTY);
        AssignmentSnapshot last =
                AssignmentSnapshot.of(List.of(region("stays", "s1", 100, 100), region("new", "s1", 1, 1)), List.of());

        assertThat(queue.observe(last, CONFIG, this::heat, 3))
                .as("one that was served, and one that was opening")
                .isEqualTo(diff("", "moves@s2", "moves opens", "s2"));
    }

    private static AssignmentDiff diff(String moved, String left, String gone, String hosts) {
        SortedMap<EncodedRegionName, String> hostLeftByRegion = new TreeMap<>();
        for (String each : left.split(" ")) {
            hostLeftByRegion.put(
                    new EncodedRegionName(each.substring(0, each.indexOf('@'))), each.substring(each.indexOf('@') + 1));
        }
        return new AssignmentDiff(
                regions(moved), hostLeftByRegion, regions(gone), new TreeSet<>(List.of(hosts.split(" "))));
    }

    private static TreeSet<EncodedRegionName> regions(String names) {
        TreeSet<EncodedRegionName> regions = new TreeSet<>();
        Arrays.stream(names.split(" "))
                .filter(name -> !name.isEmpty())
                .forEach(name -> regions.add(new EncodedRegionName(name)));
        return regions;
    }

    @Test
    void itSaysWhetherAnyTimeHasCome() {
        assertThat(queue.hasDue(Long.MAX_VALUE - 1)).isFalse();
        snapshot(0, region("r1", "s1", 0, 100));
        assertThat(queue.hasDue(REGION_STABLE_MS - 1)).isFalse();
        assertThat(queue.hasDue(REGION_STABLE_MS)).isTrue();
        due(REGION_STABLE_MS);
        assertThat(queue.hasDue(REGION_STABLE_MS)).isFalse();
    }

    @Test
    void whatIsPutBackIsDueAsBeforeAndWhatIsDeferredThen() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low);
        due(REGION_STABLE_MS);
        queue.putBack(low);
        assertThat(due(REGION_STABLE_MS)).containsExactly("r1");
        queue.defer(low, 50_000);
        assertThat(due(49_999)).isEmpty();
        assertThat(due(50_000)).containsExactly("r1");
    }

    @Test
    void afterTheNextPollBothAreDueAsBefore() {
        ServedRegion one = region("r1", "s1", 0, 100);
        ServedRegion two = region("r2", "s2", 0, 100);
        snapshot(0, one, two);
        due(REGION_STABLE_MS);
        queue.putBack(one);
        queue.defer(two, 1_000_000);
        snapshot(REGION_STABLE_MS + 1, one, two);

        assertThat(due(REGION_STABLE_MS + 1)).containsExactly("r1", "r2");
    }

    @Test
    void aRequestDoesNotMakeTheDeferredDueThatIsBeingCompacted() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low);
        due(REGION_STABLE_MS);
        snapshot(REGION_STABLE_MS + 1, compacting(low, Phase.RUNNING));
        queue.defer(low, REGION_STABLE_MS + 2);
        queue.healNow(Set.of(low.region()), CONFIG, REGION_STABLE_MS + 2);

        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
    }

    @Test
    void startingOverIsNotForWhatIsInHand() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low);
        due(REGION_STABLE_MS);
        queue.ended(low, AttemptResult.UNFINISHED, CONFIG, REGION_STABLE_MS);
        due(REGION_STABLE_MS + 10_000);
        queue.startOver(CONFIG, REGION_STABLE_MS + 10_000);
        queue.ended(low, AttemptResult.UNFINISHED, CONFIG, REGION_STABLE_MS + 10_000);

        assertThat(due(REGION_STABLE_MS + 29_999)).as("its second look in vain").isEmpty();
        assertThat(due(REGION_STABLE_MS + 30_000)).containsExactly("r1");
    }

    @Test
    void aChangedReportIsLookedAtAfterTheFirstWait() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low);
        due(REGION_STABLE_MS);
        queue.ended(low, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
        snapshot(REGION_STABLE_MS + 1, region("r1", "s1", 50, 100));

        assertThat(due(REGION_STABLE_MS + 9_999)).isEmpty();
        assertThat(due(REGION_STABLE_MS + 10_000)).containsExactly("r1");
    }

    @Test
    void whatIsNotInHandIsNeitherPutBackNorDeferred() {
        ServedRegion low = region("r1", "s1", 0, 100);
        snapshot(0, low);
        queue.defer(low, 1_000_000);
        queue.putBack(low);
        queue.defer(region("unknown", "s1", 0, 100), 0);
        queue.putBack(region("unknown", "s1", 0, 100));
        assertThat(due(REGION_STABLE_MS - 1)).isEmpty();
        assertThat(due(REGION_STABLE_MS)).containsExactly("r1");
        queue.ended(region("unknown", "s1", 0, 100), AttemptResult.UNFINISHED, CONFIG, REGION_STABLE_MS);
        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
    }

    /** Three looks in vain: the wait is 40 seconds, and ten where it begins anew. */
    @Test
    void whatHeldRegionsUpHasChangedAndTheyAreDueAsAfterAFirstPoll() {
        ServedRegion low = region("r1", "s1", 0, 100);
        ServedRegion settled = region("r2", "s2", 0, 100);
        ServedRegion held = region("r3", "s3", 0, 100);
        ServedRegion unseen = region("r4", "s4", 0, 100);
        snapshot(0, low, settled, held);
        long nowMs = REGION_STABLE_MS;
        for (long waitMs : new long[] {10_000, 20_000, 0}) {
            due(nowMs);
            queue.ended(low, AttemptResult.UNFINISHED, CONFIG, nowMs);
            queue.ended(settled, AttemptResult.COMPLETED, CONFIG, nowMs);
            nowMs += waitMs;
        }
        snapshot(nowMs, low, settled, held, unseen);
        queue.startOver(CONFIG, nowMs);

        assertThat(due(nowMs + 9_999)).isEmpty();
        assertThat(due(nowMs + 10_000)).as("not what is in hand or settled").containsExactly("r1");
        assertThat(due(nowMs + REGION_STABLE_MS)).as("what was never looked at").containsExactly("r4");
        assertThat(due(nowMs + 40_000)).containsExactly("r2");
        queue.ended(held, AttemptResult.COMPLETED, CONFIG, nowMs);
        assertThat(queue.size()).as("it was in hand all the time").isEqualTo(3);
    }

    @Test
    void aRegionThatMovedIsUnseenUntilItHasSettled() {
        ServedRegion local = region("r1", "s2", 100, 100);
        snapshot(0, region("r1", "s1", 100, 100));
        snapshot(1, local);
        assertThat(due(1 + REGION_STABLE_MS)).containsExactly("r1");
        queue.ended(local, AttemptResult.OBSOLETE, CONFIG, 50_000);
        assertThat(due(59_999)).isEmpty();
        assertThat(due(60_000)).as("it was not seen there").containsExactly("r1");
        queue.ended(local, AttemptResult.COMPLETED, CONFIG, 70_000);

        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
    }

    @Test
    void aReportThatStaysHalfWayIsNoChange() {
        ServedRegion half = region("r1", "s1", 50, 100);
        snapshot(0, half);
        due(REGION_STABLE_MS);
        queue.ended(half, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS);
        snapshot(REGION_STABLE_MS + 1, half);
        due(REGION_STABLE_MS + 10_000);
        queue.ended(half, AttemptResult.COMPLETED, CONFIG, REGION_STABLE_MS + 10_000);
        snapshot(REGION_STABLE_MS + 10_001, half);

        assertThat(due(REGION_STABLE_MS + 29_999))
                .as("the second wait is twice the first")
                .isEmpty();
        assertThat(due(REGION_STABLE_MS + 30_000)).containsExactly("r1");
    }

    /** A read less, a byte less: 300 remote reads for 3,000 bytes against 80 for 500. */
    @Test
    void aSmallRegionComesFirstThoughItHasFewerReadsAndFewerBytes() {
        reads("large", 1_000);
        reads("small", 80);
        snapshot(0, region("large", "s1", 7_000, 10_000), region("small", "s1", 0, 500));

        assertThat(due(REGION_STABLE_MS)).containsExactly("small", "large");
    }

    @Test
    void theOnlyOneThatIsKnownIsTheMeanAndComesBeforeTheUnknown() {
        reads("known", 100);
        ServedRegion unreported = new ServedRegion(
                new EncodedRegionName("unreported"),
                new TableId("t"),
                HealRank.USER,
                TableHealingMode.ON,
                server("s2"),
                Optional.empty());
        snapshot(0, region("known", "s1", 0, 100));
        snapshot(1, region("known", "s1", 0, 100), region("unknown", "s1", 0, 9_999), unreported);

        assertThat(due(1 + REGION_STABLE_MS)).containsExactly("known", "unknown", "unreported");
    }

    @Test
    void aRequestComesAfterSystemTables() {
        snapshot(
                0,
                region("first", "s1", 0, 100, HealRank.FIRST, TableHealingMode.FIRST),
                region("meta", "s1", 99, 100, HealRank.META, TableHealingMode.ON),
                region("wished-meta", "s1", 99, 100, HealRank.META, TableHealingMode.ON),
                region("acl", "s1", 99, 100, HealRank.SYSTEM, TableHealingMode.ON),
                region("wished", "s1", 99, 100));
        queue.healNow(
                Set.of(new EncodedRegionName("wished"), new EncodedRegionName("wished-meta")),
                CONFIG,
                REGION_STABLE_MS);

        assertThat(due(REGION_STABLE_MS)).containsExactly("wished-meta", "meta", "acl", "wished", "first");
    }

    @Test
    void boxesAreEmptiedOnce() {
        List<String> woken = new ArrayList<>();
        PollHints hints = new PollHints(() -> woken.add("woken"));
        assertThat(hints.isEmpty()).isTrue();
        hints.leave();
        assertThat(hints.isEmpty()).isFalse();
        assertThat(woken).hasSize(1);
        hints.clear();
        assertThat(hints.isEmpty()).isTrue();

        HealRequests requests = new HealRequests();
        requests.healNow(List.of(new EncodedRegionName("b"), new EncodedRegionName("a")));
        requests.healNow(List.of(new EncodedRegionName("a")));
        assertThat(requests.takeHealNow()).containsExactly(new EncodedRegionName("a"), new EncodedRegionName("b"));
        assertThat(requests.takeHealNow()).isEmpty();

        requests.localityStale(new EncodedRegionName("a"), "s1");
        requests.localityStale(new EncodedRegionName("a"), "s2");
        assertThat(requests.takeStale()).isEqualTo(Map.of(new EncodedRegionName("a"), "s2"));
        assertThat(requests.takeStale()).isEmpty();
    }

    private void snapshot(long nowMs, ServedRegion... regions) {
        queue.observe(AssignmentSnapshot.of(Arrays.asList(regions), List.of()), CONFIG, this::heat, nowMs);
    }

    private RegionHeat heat(EncodedRegionName region) {
        return heatByName.getOrDefault(region.encodedName(), new Unknown(Reason.NEVER_REPORTED));
    }

    private List<String> due(long nowMs) {
        return due(nowMs, server -> true);
    }

    private List<String> due(long nowMs, Predicate<ServerId> hasRoom) {
        List<String> names = new ArrayList<>();
        for (Optional<ServedRegion> next = queue.take(nowMs, hasRoom);
                next.isPresent();
                next = queue.take(nowMs, hasRoom)) {
            names.add(next.get().region().encodedName());
        }
        return names;
    }

    private static ServedRegion region(String name, String server, long localBytes, long totalBytes) {
        return region(name, server, localBytes, totalBytes, HealRank.USER, TableHealingMode.ON);
    }

    private static ServedRegion region(
            String name, String server, long localBytes, long totalBytes, HealRank rank, TableHealingMode mode) {
        return new ServedRegion(
                new EncodedRegionName(name),
                new TableId("t"),
                rank,
                mode,
                server(server),
                Optional.of(new ReportedLocality(localBytes, totalBytes)));
    }

    private static ServerId server(String name) {
        return new ServerId(name, 16020, 1);
    }
}
