package io.hearth.balancer.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportIntakeTest {

    private static final TableId TABLE = new TableId("t");
    private static final RegionId REGION = new RegionId("r1");
    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);

    private final ReportIntake intake = new ReportIntake();

    private List<RegionSample> report(ServerId server, long ms, long reads) {
        return intake.accept(
                new ServerReport(server, ms, List.of(new RegionReport(REGION, TABLE, reads, 2 * reads, 77))));
    }

    private List<RegionSample> reportWithout(ServerId server, long ms) {
        return intake.accept(new ServerReport(server, ms, List.of()));
    }

    private static RegionSample firstLook() {
        return new RegionSample(REGION, TABLE, 0, 0, 0, 77);
    }

    private static RegionSample sample(long elapsedMs, long reads) {
        return new RegionSample(REGION, TABLE, elapsedMs, reads, 2 * reads, 77);
    }

    @Test
    void aRateNeedsTwoReportsOfOneServer() {
        assertThat(report(A, 1_000, 60_000)).containsExactly(firstLook());
        assertThat(report(A, 4_000, 60_030)).containsExactly(sample(3_000, 30));
    }

    @Test
    void duplicateAndLateReportsAreDropped() {
        report(A, 1_000, 10);
        report(A, 4_000, 40);

        assertThat(report(A, 4_000, 40)).isEmpty();
        assertThat(report(A, 2_000, 20)).isEmpty();
        assertThat(report(A, 5_000, 50)).containsExactly(sample(1_000, 10));
    }

    @Test
    void aCounterThatFellGivesAFirstLook() {
        report(A, 1_000, 10_000);

        assertThat(report(A, 4_000, 5)).containsExactly(firstLook());
        assertThat(report(A, 5_000, 15)).containsExactly(sample(1_000, 10));
    }

    @Test
    void aMovedRegionStartsAgainOnItsNewServer() {
        report(A, 1_000, 60_000);
        report(A, 4_000, 60_030);

        assertThat(report(B, 5_000, 3)).containsExactly(firstLook());
        assertThat(report(B, 8_000, 33)).containsExactly(sample(3_000, 30));
    }

    @Test
    void aLifetimeCounterInTheOldServersLateReportIsNeverFreshLoad() {
        report(A, 1_000, 60_000);
        report(B, 2_000, 3);

        assertThat(report(A, 3_000, 60_010))
                .as("still in the report of the server it left")
                .isEmpty();
        assertThat(report(B, 5_000, 33)).containsExactly(sample(3_000, 30));
    }

    @Test
    void aRegionThatCameBackIsFollowedWhenItsOtherServerHasLostIt() {
        report(A, 1_000, 60_000);
        report(B, 2_000, 3);
        reportWithout(B, 5_000);

        assertThat(report(A, 6_000, 70_000)).containsExactly(firstLook());
        assertThat(report(A, 7_000, 70_010)).containsExactly(sample(1_000, 10));
    }

    @Test
    void aRegionThatCameBackIsFollowedWhenItsCounterHasStartedAgain() {
        report(A, 1_000, 60_000);
        report(B, 2_000, 3);

        assertThat(report(A, 3_000, 5)).containsExactly(firstLook());
    }

    @Test
    void aGapIsMeasuredOverItsWholeTime() {
        report(A, 1_000, 10);
        reportWithout(A, 4_000);

        assertThat(report(A, 7_000, 70)).containsExactly(sample(6_000, 60));
    }

    @Test
    void aClockThatWasSetBackStartsAgainWithTheSecondReport() {
        report(A, 1_000_000, 10);

        assertThat(report(A, 500_000, 20)).isEmpty();
        assertThat(report(A, 503_000, 50)).containsExactly(firstLook());
        assertThat(report(A, 504_000, 60)).containsExactly(sample(1_000, 10));
    }

    @Test
    void oneAncientReportIsNoClockStep() {
        report(A, 1_000_000, 10);
        report(A, 500_000, 1);

        assertThat(report(A, 1_001_000, 20)).containsExactly(sample(1_000, 10));
        assertThat(report(A, 600_000, 2)).isEmpty();
    }

    @Test
    void aRegionOfAServerThatIsGoneIsFollowedWhereItAppears() {
        report(B, 1_000, 10);
        report(A, 2_000, 10);
        intake.retainServers(Set.of(B));

        assertThat(report(B, 3_000, 500)).containsExactly(firstLook());
        assertThat(report(B, 4_000, 510)).containsExactly(sample(1_000, 10));
    }

    @Test
    void aRegionThatIsForgottenStartsAgain() {
        report(A, 1_000, 10);
        intake.retainRegions(Set.of());

        assertThat(report(A, 2_000, 20)).containsExactly(firstLook());
    }
}
