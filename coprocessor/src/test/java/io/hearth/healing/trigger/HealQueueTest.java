package io.hearth.healing.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.Compaction;
import io.hearth.healing.model.Compaction.Phase;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class HealQueueTest {

    private static final long SETTLE_MS = 30_000;
    private static final QueueRules RULES = new QueueRules(1.0, SETTLE_MS, new BackOff(10_000, 160_000));

    private final HealQueue queue = new HealQueue();
    private final Map<String, RegionHeat> heatByName = new HashMap<>();

    @Test
    void nothingIsDueWhereEverythingIsAtHome() {
        look(0, region("r1", "s1", 100, 100), region("r2", "s2", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aRegionBelowTheThresholdIsDueOnceItHasSettled() {
        look(0, region("r1", "s1", 99, 100));

        assertThat(due(SETTLE_MS - 1)).isEmpty();
        assertThat(due(SETTLE_MS)).containsExactly("r1");
        assertThat(due(SETTLE_MS)).as("it is in hand").isEmpty();
    }

    @Test
    void theThresholdIsTheLineBelowWhichARegionIsLow() {
        QueueRules lenient = new QueueRules(0.9, 0, RULES.backOff());
        queue.observe(
                ClusterLook.of(List.of(region("at", "s", 90, 100), region("below", "s", 89, 100)), List.of()),
                lenient,
                this::heat,
                0);

        assertThat(due(0)).containsExactly("below");
    }

    @Test
    void aMovedRegionIsDueWhateverIsReported() {
        look(0, region("r1", "s1", 100, 100));
        look(10_000, region("r1", "s2", 100, 100));

        assertThat(due(10_000 + SETTLE_MS - 1)).isEmpty();
        assertThat(due(10_000 + SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void aRegionThatMovesOnStartsSettlingAgain() {
        look(0, region("r1", "s1", 100, 100));
        look(10_000, region("r1", "s2", 0, 100));
        look(20_000, region("r1", "s3", 0, 100));

        assertThat(due(10_000 + SETTLE_MS)).isEmpty();
        assertThat(due(20_000 + SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void aRegionInTransitionIsNotDueUntilItIsServed() {
        look(0, region("r1", "s1", 0, 100));
        queue.observe(ClusterLook.of(List.of(), List.of(new RegionId("r1"))), RULES, this::heat, 10_000);
        assertThat(due(SETTLE_MS)).isEmpty();

        look(40_000, region("r1", "s1", 100, 100));
        assertThat(due(40_000 + SETTLE_MS)).as("it was reopened").containsExactly("r1");
    }

    @Test
    void aNewRegionIsDueAsAMovedOneIs() {
        look(0, region("r1", "s1", 100, 100));
        look(10_000, region("r1", "s1", 100, 100), region("daughter", "s1", 0, 0));

        assertThat(due(10_000 + SETTLE_MS)).containsExactly("daughter");
    }

    @Test
    void anUnreportedRegionWaitsForItsReport() {
        ServedRegion unreported = new ServedRegion(
                new RegionId("r1"), new TableId("t"), HealRank.USER, HealMode.ON, server("s1"), Optional.empty());
        look(0, unreported);
        assertThat(due(SETTLE_MS)).isEmpty();

        look(40_000, region("r1", "s1", 0, 100));
        assertThat(due(40_000 + SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void whereTheReportStaysLowTheNameNodeIsAskedLessAndLess() {
        ServedRegion low = region("r1", "s1", 0, 100);
        look(0, low);
        long nowMs = SETTLE_MS;
        for (long waitMs : new long[] {10_000, 20_000, 40_000, 80_000, 160_000, 160_000}) {
            assertThat(due(nowMs)).containsExactly("r1");
            queue.ended(low, LookResult.SETTLED, RULES, nowMs);
            look(nowMs + 1, low);
            assertThat(due(nowMs + waitMs - 1)).isEmpty();
            nowMs += waitMs;
        }
        assertThat(queue.size()).as("settled by the NameNode's word").isZero();
    }

    @Test
    void aChangedReportStartsOver() {
        look(0, region("r1", "s1", 0, 100));
        long nowMs = SETTLE_MS;
        for (int i = 0; i < 5; i++, nowMs += 200_000) {
            assertThat(due(nowMs)).hasSize(1);
            queue.ended(region("r1", "s1", 0, 100), LookResult.SETTLED, RULES, nowMs);
        }
        nowMs -= 200_000;

        look(nowMs + 1_000, region("r1", "s1", 50, 100));
        look(nowMs + 2_000, region("r1", "s1", 50, 100));
        assertThat(due(nowMs + 9_999)).isEmpty();
        assertThat(due(nowMs + 10_000)).containsExactly("r1");
    }

    @Test
    void whatIsReportedHomeAgainIsLeftAlone() {
        look(0, region("r1", "s1", 0, 100));
        due(SETTLE_MS);
        queue.ended(region("r1", "s1", 0, 100), LookResult.SETTLED, RULES, SETTLE_MS);
        look(SETTLE_MS + 1, region("r1", "s1", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).isEmpty();
    }

    @Test
    void whatIsUnfinishedComesAgainEvenIfTheReportIsHigh() {
        look(0, region("r1", "s1", 100, 100));
        look(1, region("r1", "s2", 100, 100));
        assertThat(due(1 + SETTLE_MS)).containsExactly("r1");
        queue.ended(region("r1", "s2", 100, 100), LookResult.UNKNOWN, RULES, 50_000);
        look(50_001, region("r1", "s2", 100, 100));

        assertThat(due(59_999)).isEmpty();
        assertThat(due(60_000)).containsExactly("r1");
    }

    @Test
    void theEndOfWorkOnAnotherServerChangesNothing() {
        look(0, region("r1", "s1", 0, 100));
        due(SETTLE_MS);
        look(40_000, region("r1", "s2", 0, 100));
        queue.ended(region("r1", "s1", 0, 100), LookResult.SETTLED, RULES, 50_000);

        assertThat(due(40_000 + SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void aTableThatIsOffIsLeftAlone() {
        look(0, region("r1", "s1", 0, 100, HealRank.USER, HealMode.OFF));
        assertThat(due(SETTLE_MS)).isEmpty();

        look(40_000, region("r1", "s1", 0, 100, HealRank.USER, HealMode.ON));
        assertThat(due(40_000 + SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void systemTablesComeFirstThenTheMostNonLocalBytes() {
        look(
                0,
                region("small", "s1", 90, 100),
                region("large", "s1", 0, 1_000),
                region("chosen", "s1", 99, 100, HealRank.FIRST, HealMode.FIRST),
                region("meta", "s1", 99, 100, HealRank.META, HealMode.ON),
                region("acl", "s1", 99, 100, HealRank.SYSTEM, HealMode.ON));

        assertThat(due(SETTLE_MS)).containsExactly("meta", "acl", "chosen", "large", "small");
    }

    @Test
    void whatEndsMostRemoteReadsForEachByteComesFirst() {
        reads("hot-and-large", 100);
        reads("hot-and-small", 50);
        reads("cold", 1);
        look(
                0,
                region("hot-and-large", "s1", 7_000, 10_000),
                region("hot-and-small", "s1", 0, 2_000),
                region("cold", "s1", 0, 20_000),
                region("nobody-knows", "s1", 0, 5_000),
                region("nobody-knows-either", "s1", 4_000, 5_000));

        assertThat(due(SETTLE_MS))
                .containsExactly("hot-and-small", "hot-and-large", "nobody-knows", "nobody-knows-either", "cold");
    }

    @Test
    void readFromNothingIsColderThanUnknown() {
        reads("idle", 0);
        look(0, region("idle", "s1", 0, 1_000), region("nobody-knows", "s1", 999, 1_000));

        assertThat(due(SETTLE_MS)).containsExactly("nobody-knows", "idle");
    }

    @Test
    void whatIsReportedToBeAtHomeComesLast() {
        reads("moved", 1_000);
        look(0, region("idle", "s1", 0, 1_000), region("moved", "s1", 10, 10));
        look(1, region("idle", "s1", 0, 1_000), region("moved", "s2", 10, 10));

        assertThat(due(1 + SETTLE_MS)).containsExactly("idle", "moved");
    }

    @Test
    void aServerThatHasNoRoomIsPassedOver() {
        reads("hot", 100);
        reads("warm", 10);
        reads("cold", 1);
        look(0, region("hot", "full", 0, 100), region("cold", "free", 0, 100), region("warm", "full", 0, 100));

        assertThat(due(SETTLE_MS, server -> server.host().equals("free"))).containsExactly("cold");
        assertThat(due(SETTLE_MS)).containsExactly("hot", "warm");
    }

    @Test
    void aRegionThatIsBeingCompactedIsLeftAlone() {
        ServedRegion low = region("r1", "s1", 0, 100);
        look(0, compacting(low, Phase.RUNNING));
        look(SETTLE_MS, compacting(low, Phase.RUNNING));
        assertThat(due(10 * SETTLE_MS)).isEmpty();

        look(2 * SETTLE_MS, compacting(low, Phase.QUEUED));
        assertThat(due(2 * SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void aRegionThatHasLongSettledIsDueAsSoonAsItsReportFalls() {
        look(0, region("r1", "s1", 100, 100));
        look(10 * SETTLE_MS, region("r1", "s1", 50, 100));

        assertThat(due(10 * SETTLE_MS)).containsExactly("r1");
    }

    @Test
    void sizeCountsWhatIsOpen() {
        ServedRegion low = region("r1", "s1", 0, 100);
        look(0, low, region("r2", "s1", 0, 100), region("home", "s1", 100, 100));
        assertThat(queue.size()).isEqualTo(2);
        due(SETTLE_MS);
        assertThat(queue.size()).as("in hand").isEqualTo(2);
        queue.ended(low, LookResult.SETTLED, RULES, SETTLE_MS);
        assertThat(queue.size()).isEqualTo(1);
        look(SETTLE_MS + 1, low);
        assertThat(queue.size()).as("the other one is gone").isZero();
    }

    private void reads(String name, double perSecond) {
        LoadVector load = LoadVector.of(perSecond, 0, 0);
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
        look(0, region("r1", "s1", 0, 100));
        look(1, region("r2", "s1", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).containsExactly("r2");
    }

    @Test
    void whatAPersonWishesIsNextWhateverCameOfTheLastLook() {
        ServedRegion home = region("r1", "s1", 100, 100);
        ServedRegion hot = region("r2", "s2", 0, 100);
        ServedRegion settled = region("r3", "s3", 0, 100);
        look(0, home, hot, settled);
        assertThat(due(SETTLE_MS)).containsExactly("r2", "r3");
        queue.ended(settled, LookResult.SETTLED, RULES, SETTLE_MS);
        queue.ended(hot, LookResult.UNFINISHED, RULES, SETTLE_MS);

        queue.wish(Set.of(new RegionId("r1"), new RegionId("r3"), new RegionId("gone")), RULES, SETTLE_MS + 1);

        assertThat(due(SETTLE_MS + 1)).as("the others wait for their time").containsExactly("r3", "r1");
        queue.ended(home, LookResult.SETTLED, RULES, SETTLE_MS + 2);
        look(SETTLE_MS + 3, home, hot, settled);
        assertThat(due(SETTLE_MS + 3)).as("a wish is for once").isEmpty();
    }

    @Test
    void aWishComesBeforeWhatIsDueAlreadyAndIsNotDoubled() {
        look(0, region("r1", "s1", 0, 100), region("r2", "s1", 90, 100));
        assertThat(due(SETTLE_MS, server -> false)).isEmpty();

        queue.wish(Set.of(new RegionId("r2")), RULES, SETTLE_MS);
        queue.wish(Set.of(new RegionId("r2")), RULES, SETTLE_MS);

        assertThat(due(SETTLE_MS)).containsExactly("r2", "r1");
    }

    @Test
    void aWishAgainstTheTableComesToNothing() {
        look(0, region("r1", "s1", 0, 100, HealRank.USER, HealMode.OFF));
        queue.wish(Set.of(new RegionId("r1")), RULES, 1);
        assertThat(due(SETTLE_MS)).isEmpty();
    }

    @Test
    void aDoubtIsForWhatNothingCallsForAndComesLast() {
        ServedRegion low = region("r1", "s1", 50, 100);
        ServedRegion home = region("r2", "s1", 100, 100);
        ServedRegion off = region("r3", "s1", 100, 100, HealRank.USER, HealMode.OFF);
        look(0, low, home, off);
        Map<RegionId, String> all = Map.of(
                new RegionId("r1"),
                "s1",
                new RegionId("r2"),
                "s1",
                new RegionId("r3"),
                "s1",
                new RegionId("gone"),
                "s1");

        assertThat(queue.doubt(all, RULES, SETTLE_MS)).isEqualTo(1);
        assertThat(queue.doubt(all, RULES, SETTLE_MS)).as("it waits already").isZero();
        assertThat(due(SETTLE_MS)).containsExactly("r1", "r2");
        assertThat(queue.doubt(all, RULES, SETTLE_MS)).as("it is in hand").isZero();

        queue.ended(home, LookResult.SETTLED, RULES, SETTLE_MS);
        assertThat(queue.doubt(Map.of(new RegionId("r2"), "s2"), RULES, SETTLE_MS + 1))
                .as("of a server that it has left")
                .isZero();
        assertThat(queue.doubt(all, RULES, SETTLE_MS + 1))
                .as("it has gone again")
                .isEqualTo(1);
    }

    private void look(long nowMs, ServedRegion... regions) {
        queue.observe(ClusterLook.of(Arrays.asList(regions), List.of()), RULES, this::heat, nowMs);
    }

    private RegionHeat heat(RegionId region) {
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
        return region(name, server, localBytes, totalBytes, HealRank.USER, HealMode.ON);
    }

    private static ServedRegion region(
            String name, String server, long localBytes, long totalBytes, HealRank rank, HealMode mode) {
        return new ServedRegion(
                new RegionId(name),
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
