package io.hearth.healing.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HealQueueTest {

    private static final long SETTLE_MS = 30_000;
    private static final QueueRules RULES = new QueueRules(1.0, SETTLE_MS, new BackOff(10_000, 160_000));

    private final HealQueue queue = new HealQueue();

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
        queue.observe(ClusterLook.of(List.of(), List.of(new RegionId("r1"))), RULES, 10_000);
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

        assertThat(names(queue.takeDue(SETTLE_MS, 3))).containsExactly("meta", "acl", "chosen");
        assertThat(names(queue.takeDue(SETTLE_MS, 3))).containsExactly("large", "small");
    }

    @Test
    void aRegionThatIsGoneIsForgotten() {
        look(0, region("r1", "s1", 0, 100));
        look(1, region("r2", "s1", 100, 100));

        assertThat(due(Long.MAX_VALUE - 1)).containsExactly("r2");
    }

    private void look(long nowMs, ServedRegion... regions) {
        queue.observe(ClusterLook.of(Arrays.asList(regions), List.of()), RULES, nowMs);
    }

    private List<String> due(long nowMs) {
        return names(queue.takeDue(nowMs, 100));
    }

    private static List<String> names(List<ServedRegion> regions) {
        return regions.stream().map(region -> region.region().encodedName()).toList();
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
