// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportDeduplicatorTest {

    private static final TableId TABLE = new TableId("t");
    private static final EncodedRegionName REGION = new EncodedRegionName("r1");
    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);

    private static final RegionSample FIRST_REPORT = RegionSample.FIRST_REPORT;

    private final ReportDeduplicator deduplicator = new ReportDeduplicator();
    private final RegionCounters counters = new RegionCounters();

    /** One of the servers reports the region; our clock goes as theirs. */
    private Optional<RegionSample> report(ServerId server, long ms, long reads) {
        return report(server, ms, ms, RegionReport.UNKNOWN, reads);
    }

    private Optional<RegionSample> opened(ServerId server, long ms, long openSeqNum, long reads) {
        return report(server, ms, ms, openSeqNum, reads);
    }

    private Optional<RegionSample> report(ServerId server, long ms, long nowMs, long openSeqNum, long reads) {
        return deduplicator
                .accept(new ServerReport(server, ms, List.of()), nowMs)
                .flatMap(incarnation -> counters.follow(
                        incarnation,
                        new RegionReport(
                                REGION,
                                TABLE,
                                Optional.empty(),
                                openSeqNum,
                                ReportedLoad.NONE
                                        .with(LoadDimension.READS, reads)
                                        .with(LoadDimension.WRITES, 2 * reads)
                                        .with(LoadDimension.STORE_SIZE, 77),
                                0)));
    }

    private void reportWithout(ServerId server, long ms) {
        deduplicator.accept(new ServerReport(server, ms, List.of()), ms);
    }

    private static RegionSample sample(long elapsedMs, long reads) {
        long[] counted = new long[Rates.COUNTERS];
        counted[LoadDimension.READS.ordinal()] = reads;
        counted[LoadDimension.WRITES.ordinal()] = 2 * reads;
        return new RegionSample(elapsedMs, Rates.between(new long[Rates.COUNTERS], counted, elapsedMs));
    }

    @Test
    void aRateNeedsTwoReportsOfOneServer() {
        assertThat(report(A, 1_000, 60_000)).contains(FIRST_REPORT);
        assertThat(report(A, 4_000, 60_030)).contains(sample(3_000, 30));
    }

    @Test
    void duplicateAndLateReportsAreDropped() {
        report(A, 1_000, 10);
        report(A, 4_000, 40);

        assertThat(report(A, 4_000, 40)).isEmpty();
        assertThat(report(A, 2_000, 20)).isEmpty();
        assertThat(report(A, 5_000, 50)).contains(sample(1_000, 10));
    }

    @Test
    void aCounterThatFellGivesAFirstLook() {
        report(A, 1_000, 10_000);

        assertThat(report(A, 4_000, 5)).contains(FIRST_REPORT);
        assertThat(report(A, 5_000, 15)).contains(sample(1_000, 10));
    }

    @Test
    void aMovedRegionStartsAgainOnItsNewServer() {
        report(A, 1_000, 60_000);
        report(A, 4_000, 60_030);

        assertThat(report(B, 5_000, 3)).contains(FIRST_REPORT);
        assertThat(report(B, 8_000, 33)).contains(sample(3_000, 30));
    }

    @Test
    void aLifetimeCounterInTheOldServersLateReportIsNeverFreshLoad() {
        report(A, 1_000, 60_000);
        report(B, 2_000, 3);

        assertThat(report(A, 3_000, 60_010))
                .as("still in the report of the server it left")
                .isEmpty();
        assertThat(report(B, 5_000, 33)).contains(sample(3_000, 30));
    }

    @Test
    void aRegionThatCameBackIsFollowedWhenItsOtherServerHasLostIt() {
        report(A, 1_000, 60_000);
        report(B, 2_000, 3);
        reportWithout(B, 5_000);

        assertThat(report(A, 6_000, 70_000)).contains(FIRST_REPORT);
        assertThat(report(A, 7_000, 70_010)).contains(sample(1_000, 10));
    }

    @Test
    void aRegionThatCameBackIsFollowedWhenItsCounterHasStartedAgain() {
        report(A, 1_000, 60_000);
        report(B, 2_000, 3);

        assertThat(report(A, 3_000, 5)).contains(FIRST_REPORT);
    }

    @Test
    void aGapInOneOpeningIsMeasuredOverItsWholeTime() {
        opened(A, 1_000, 5, 10);
        reportWithout(A, 4_000);

        assertThat(opened(A, 7_000, 5, 70)).contains(sample(6_000, 60));
    }

    @Test
    void whereNoNumberTellsARegionThatWasMissingWasOpenedAgain() {
        report(A, 1_000, 10);
        reportWithout(A, 4_000);

        assertThat(report(A, 7_000, 70)).contains(FIRST_REPORT);
        assertThat(report(A, 10_000, 100)).contains(sample(3_000, 30));
    }

    @Test
    void aClockThatWasSetBackStartsAgainWithTheSecondReport() {
        report(A, 1_000_000, 10);

        assertThat(report(A, 500_000, 1_003_000, -1, 20)).isEmpty();
        assertThat(report(A, 503_000, 1_006_000, -1, 50)).contains(FIRST_REPORT);
        assertThat(report(A, 504_000, 1_007_000, -1, 60)).contains(sample(1_000, 10));
    }

    @Test
    void aClockThatWasSetBackALittleStartsAgainWhenItHasCaughtUp() {
        report(A, 1_000_000, 10);

        assertThat(report(A, 970_000, 1_003_000, -1, 40)).isEmpty();
        assertThat(report(A, 1_001_000, 1_034_000, -1, 350)).contains(FIRST_REPORT);
        assertThat(report(A, 1_004_000, 1_037_000, -1, 380)).contains(sample(3_000, 30));
    }

    @Test
    void aClockThatWasSetForwardStartsAgain() {
        report(A, 1_000, 10);

        assertThat(report(A, 3_604_000, 4_000, -1, 40)).contains(FIRST_REPORT);
        assertThat(report(A, 3_607_000, 7_000, -1, 70)).contains(sample(3_000, 30));
    }

    /** A server that was stopped for an hour with its clock, as one in a virtual machine may be. */
    @Test
    void aClockThatStoodStillStartsAgain() {
        report(A, 1_000, 1_000, -1, 10);

        assertThat(report(A, 4_000, 3_604_000, -1, 40)).contains(FIRST_REPORT);
        assertThat(report(A, 7_000, 3_607_000, -1, 70)).contains(sample(3_000, 30));
    }

    /** It is 45 s ahead from the second look on, which reads no report. */
    @Test
    void aClockThatIsSetIsNoticedThoughNoReportIsReadThen() {
        report(A, 1_000, 10);
        deduplicator.look(Map.of(A, 47_000L), 2_000);

        assertThat(report(A, 106_000, 61_000, -1, 610)).contains(FIRST_REPORT);
        assertThat(report(A, 109_000, 64_000, -1, 640)).contains(sample(3_000, 30));
    }

    @Test
    void aLateReportIsDroppedAlsoWhereAnotherWasShownInBetween() {
        report(A, 1_000, 10);
        deduplicator.look(Map.of(A, 3_604_000L), 4_000);

        assertThat(report(A, 3_000, 5_000, -1, 30))
                .as("from before the clock was set")
                .isEmpty();
        assertThat(report(A, 3_604_000, 6_000, -1, 40)).contains(FIRST_REPORT);
        assertThat(report(A, 3_607_000, 7_000, -1, 70)).contains(sample(3_000, 30));
    }

    @Test
    void theAgeOfReportsIsNoStep() {
        report(A, 60_000, 61_000, -1, 0);

        assertThat(report(A, 120_000, 181_000, -1, 60)).contains(sample(60_000, 60));
        assertThat(report(A, 240_000, 241_000, -1, 180)).contains(sample(120_000, 120));
        assertThat(report(A, 240_300, 244_000, -1, 183)).contains(sample(300, 3));
    }

    @Test
    void aRegionThatWasOpenedAgainGivesNoRateAcrossItsTwoLives() {
        opened(A, 1_000, 5, 60_000);
        opened(A, 4_000, 5, 60_030);

        assertThat(opened(A, 7_000, 9, 60_060))
                .as("the old life, by a report from before")
                .contains(FIRST_REPORT);
        assertThat(opened(A, 10_000, 9, 60_090)).as("it was under way").contains(FIRST_REPORT);
        assertThat(opened(A, 13_000, 9, 70_000))
                .as("the new life, busier than the old")
                .contains(FIRST_REPORT);
        assertThat(opened(A, 16_000, 9, 70_030)).contains(sample(3_000, 30));
    }

    @Test
    void aCounterThatFellWithTheNumberEndsTheDoubt() {
        opened(A, 1_000, 5, 60_000);

        assertThat(opened(A, 4_000, 9, 3)).contains(FIRST_REPORT);
        assertThat(opened(A, 7_000, 9, 33)).contains(sample(3_000, 30));
    }

    /** A report of the old opening is read late, when 60 s went by here and 6 s there: the clock seems to be set, which it is not. */
    @Test
    void anOpeningIsToldFromTheNextWhereALateReportLooksAsIfTheClockWasSet() {
        report(A, 1_000, 1_000, 14, 108_000);

        assertThat(report(A, 7_000, 61_000, 16, 119_000))
                .as("the old opening, with the number of the new one")
                .contains(FIRST_REPORT);
        assertThat(report(A, 118_000, 121_000, 16, 198_000))
                .as("the new opening, which has served more by now")
                .contains(FIRST_REPORT);
    }

    @Test
    void aClockThatIsSetDoesNotEndTheDoubt() {
        opened(A, 1_000, 5, 60_000);
        assertThat(opened(A, 4_000, 9, 60_030)).contains(FIRST_REPORT);
        assertThat(report(A, 3_604_000, 7_000, 9, 60_060)).as("an hour ahead").contains(FIRST_REPORT);
        assertThat(report(A, 3_607_000, 10_000, 9, 70_000)).as("the new life").contains(FIRST_REPORT);

        assertThat(report(A, 3_610_000, 13_000, 9, 70_030)).contains(sample(3_000, 30));
    }

    @Test
    void whileTheMasterDoesNotHaveItOpenThereIsNoRateAcross() {
        opened(A, 1_000, 5, 10);

        assertThat(opened(A, 4_000, RegionReport.UNKNOWN, 40)).contains(FIRST_REPORT);
        assertThat(opened(A, 7_000, 9, 70)).contains(FIRST_REPORT);
    }

    @Test
    void aRegionThatCameBackIsFollowedWhereTheMasterOpenedItLater() {
        opened(A, 1_000, 5, 10);
        opened(B, 2_000, 6, 3);

        assertThat(opened(A, 3_000, RegionReport.UNKNOWN, 20)).isEmpty();
        assertThat(opened(A, 4_000, 7, 30)).contains(FIRST_REPORT);
    }

    @Test
    void oneAncientReportIsNoClockStep() {
        report(A, 1_000_000, 10);
        report(A, 500_000, 1);

        assertThat(report(A, 1_001_000, 20)).contains(sample(1_000, 10));
        assertThat(report(A, 600_000, 2)).isEmpty();
    }

    @Test
    void aRegionOfAServerThatIsGoneIsFollowedWhereItAppears() {
        report(B, 1_000, 10);
        report(A, 2_000, 10);
        deduplicator.retainServers(Set.of(B));

        assertThat(report(B, 3_000, 500)).contains(FIRST_REPORT);
        assertThat(report(B, 4_000, 510)).contains(sample(1_000, 10));
    }

    @Test
    void aServerThatRestartedHasOtherCounters() {
        report(A, 1_000, 10);
        ServerId again = new ServerId("a", 1, 2);
        deduplicator.retainServers(Set.of(again));

        assertThat(report(again, 4_000, 40)).contains(FIRST_REPORT);
        assertThat(report(again, 7_000, 70)).contains(sample(3_000, 30));
    }
}
