// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.heat.RegionLoads;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportBatch;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.balancer.placement.RegionPlacer.ServerHeadroom;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.Quantiles;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlacementViewTest {

    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);
    private static final EncodedRegionName R = new EncodedRegionName("r");
    private static final EncodedRegionName S = new EncodedRegionName("s");
    private static final EncodedRegionName UNKNOWN = new EncodedRegionName("unknown");
    private static final TableId TABLE = new TableId("t");

    private final RecentPlacements recent = new RecentPlacements();

    private static ServerReport report(ServerId server, EncodedRegionName... regions) {
        return new ServerReport(
                server,
                0,
                Arrays.stream(regions)
                        .map(region -> new RegionReport(region, TABLE, 0, 0, 0))
                        .toList());
    }

    private static PlacementView view(Optional<PlacementView> before, long nowMs, ServerReport... reports) {
        RegionLoads loads = region -> region.equals(UNKNOWN) ? Optional.empty() : Optional.of(LoadVector.ofReads(10));
        return PlacementView.of(before, List.of(reports), loads, server -> 1, nowMs);
    }

    private static ServerHeadroom headroom(List<ServerHeadroom> headrooms, ServerId server) {
        return headrooms.stream()
                .filter(headroom -> headroom.server().equals(server))
                .findFirst()
                .orElseThrow();
    }

    private static double reads(ServerHeadroom headroom) {
        return headroom.load().get(LoadDimension.READS);
    }

    @Test
    void whatItServesCountsForAServer() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S), report(B, UNKNOWN));
        List<ServerHeadroom> headrooms = view.headrooms(List.of(A, B), Map.of(), Set.of());

        assertThat(reads(headroom(headrooms, A))).isEqualTo(20);
        assertThat(headroom(headrooms, A).regions()).isEqualTo(2);
        assertThat(reads(headroom(headrooms, B))).as("its heat is unknown").isZero();
        assertThat(headroom(headrooms, B).regions()).isEqualTo(1);
        assertThat(view.meanLoad()).isEqualTo(LoadVector.ofReads(10));
    }

    @Test
    void aRegionOfADeadServerKeepsItsHeatForAnHour() {
        PlacementView before = view(Optional.empty(), 0, report(A, R), report(B, S));
        PlacementView after = view(Optional.of(before), PlacementView.REMEMBER_MS, report(A, R));

        assertThat(after.knows(B)).isFalse();
        assertThat(after.serverOf(S)).isEmpty();
        assertThat(after.load(S)).contains(LoadVector.ofReads(10));
        assertThat(view(Optional.of(after), PlacementView.REMEMBER_MS + 1, report(A, R))
                        .load(S))
                .isEmpty();
    }

    @Test
    void whatIsToBePlacedCountsForNobodyAndWhatWasGivenSinceCountsWhereItIs() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S), report(B));
        recent.given(S, B, view, 1);
        List<ServerHeadroom> headrooms = view.headrooms(List.of(A, B), recent.serverByRegion(), Set.of(R));

        assertThat(headroom(headrooms, A).regions()).isZero();
        assertThat(reads(headroom(headrooms, A))).isZero();
        assertThat(headroom(headrooms, B).regions()).isEqualTo(1);
        assertThat(headroom(headrooms, B).arrivals()).isEqualTo(1);
        assertThat(reads(headroom(headrooms, B))).isEqualTo(10);
    }

    @Test
    void aServerThatHasJustStartedHasWhatWasGivenToIt() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S));
        recent.given(UNKNOWN, B, view, 1);
        ServerHeadroom started = headroom(view.headrooms(List.of(A, B), recent.serverByRegion(), Set.of()), B);

        assertThat(started).isEqualTo(new ServerHeadroom(B, view.meanLoad(), 1, 1, 1, List.of(view.meanLoad())));
    }

    /** Broken (it has the mean capacity of the others): a small server that has just started gets the share of a large one. */
    @Test
    void aServerThatHasJustStartedHasTheCapacityOfItsHost() {
        PlacementView view = PlacementView.of(
                Optional.empty(),
                List.of(report(A, R, S)),
                region -> Optional.of(LoadVector.ofReads(10)),
                server -> server.equals(B) ? 0.25 : 4,
                0);
        List<ServerHeadroom> headrooms = view.headrooms(List.of(A, B), Map.of(), Set.of());

        assertThat(headroom(headrooms, A).capacity()).isEqualTo(4);
        assertThat(headroom(headrooms, B).capacity()).isEqualTo(0.25);
    }

    private static PlacementView withAScan(double scan) {
        RegionLoads loads = region -> region.equals(UNKNOWN)
                ? Optional.empty()
                : Optional.of(LoadVector.ofReads(region.equals(R) ? scan : 10));
        return PlacementView.of(
                Optional.empty(),
                List.of(report(A, R, S), report(B, new EncodedRegionName("t"), new EncodedRegionName("u"), UNKNOWN)),
                loads,
                server -> 1,
                0);
    }

    /** Broken (the mean with the scan in it): a region of which nothing is known counts as 2,507 reads/s, which no server has room for. */
    @Test
    void aScannedRegionSaysNothingOfWhatARegionIsLikeToHave() {
        assertThat(withAScan(10).meanLoad()).isEqualTo(LoadVector.ofReads(10));
        assertThat(withAScan(10_000).meanLoad().get(LoadDimension.READS)).isBetween(10.0, 20.0);
    }

    @Test
    void theHottestRegionsOfAServerAreToldApartWhereTheyAreNow() {
        PlacementView view = withAScan(1_000_000);
        LoadVector scan = LoadVector.ofReads(1_000_000);
        assertThat(headroom(view.headrooms(List.of(A, B), Map.of(), Set.of()), A)
                        .hottest())
                .containsExactlyInAnyOrder(scan, LoadVector.ofReads(10));

        recent.given(R, B, view, 1);
        List<ServerHeadroom> headrooms = view.headrooms(List.of(A, B), recent.serverByRegion(), Set.of());
        assertThat(headroom(headrooms, A).hottest()).containsExactly(LoadVector.ofReads(10));
        assertThat(headroom(headrooms, B).hottest()).contains(scan);
        assertThat(headroom(view.headrooms(List.of(A, B), Map.of(), Set.of(R)), A)
                        .hottest())
                .as("it is to be placed")
                .containsExactly(LoadVector.ofReads(10));
    }

    @Test
    void aReportThatShowsItAndTimeEndWhatIsRemembered() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S), report(B));
        recent.given(R, A, view, 1);
        assertThat(recent.serverByRegion()).as("it is there already").isEmpty();

        recent.given(R, B, view, 1);
        recent.given(S, B, view, 1);
        recent.settle(view(Optional.empty(), 2, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(S, B));

        recent.settle(view(Optional.empty(), 1 + RecentPlacements.KEEP_MS, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(S, B));
        recent.settle(view(Optional.empty(), 2 + RecentPlacements.KEEP_MS, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEmpty();
    }

    /** Broken (two minutes are all): where reports are read each four minutes, what a crash has filled counts as empty at the next. */
    @Test
    void whereReportsAreReadSeldomAPlacementIsRememberedUntilTwoReadings() {
        PlacementView view = view(Optional.empty(), 0, report(A, S), report(B));
        recent.readEvery(216_000);
        recent.given(S, B, view, 1);

        recent.settle(view(Optional.empty(), 432_001, report(A, S), report(B)));
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(S, B));
        recent.settle(view(Optional.empty(), 432_002, report(A, S), report(B)));
        assertThat(recent.serverByRegion()).isEmpty();

        recent.readEvery(54_000);
        recent.given(S, B, view, 1);
        recent.settle(view(Optional.empty(), 1 + RecentPlacements.KEEP_MS, report(A, S), report(B)));
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(S, B));
        recent.settle(view(Optional.empty(), 2 + RecentPlacements.KEEP_MS, report(A, S), report(B)));
        assertThat(recent.serverByRegion()).isEmpty();
    }

    @Test
    void aClockThatWasSetBackDoesNotKeepAPlacementForLonger() {
        PlacementView late = view(Optional.empty(), 1_000_000, report(A, S), report(B, R));
        recent.given(R, A, late, 1_000_000);

        recent.settle(view(Optional.empty(), 0, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(R, A));
        recent.settle(view(Optional.empty(), 1 + RecentPlacements.KEEP_MS, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEmpty();
    }

    /** Of a server whose report is not read this time what is known of it still counts. */
    /** HBase asks for the target of each move of a plan. Broken (who serves it is asked): all regions are put in order each time. */
    @Test
    void aRegionThatIsGivenAwayPutsNoRegionsInOrder() {
        PlacementView view = view(Optional.empty(), 0, report(A, R), report(B, S));

        recent.given(R, B, view, 0);
        recent.given(S, B, view, 0);

        assertThat(view.isInOrder()).isFalse();
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(R, B));
    }

    /** The master looks after each move of a plan; most looks bring nothing. */
    @Test
    void aLookThatBringsNothingLeavesRegionsInOrder() {
        PlacementView before = view(Optional.empty(), 0, report(A, R), report(B, S));
        assertThat(before.serverOf(R)).contains(A);

        assertThat(after(before, List.of(), A, B).isInOrder()).isTrue();
        assertThat(after(before, List.of(), A, B).serverOf(S)).contains(B);
        assertThat(after(before, List.of(), A, B, new ServerId("c", 1, 1)).isInOrder())
                .as("a server that has not reported yet")
                .isTrue();
        assertThat(after(before, List.of(), A).serverOf(S)).as("b is gone").isEmpty();
        assertThat(after(before, List.of(report(A, R, S), report(B)), A, B).serverOf(S))
                .contains(A);
    }

    private static PlacementView after(PlacementView before, List<ServerReport> reports, ServerId... live) {
        ReportBatch batch =
                new ReportBatch(reports, Arrays.stream(live).collect(Collectors.toMap(server -> server, server -> 0L)));
        return PlacementView.of(Optional.of(before), batch, region -> Optional.empty(), server -> 1, 1);
    }

    @Test
    void itSaysHowLocalAndHowLoadedItsServersAre() {
        PlacementView first = PlacementView.of(
                Optional.empty(),
                List.of(localities(A, 0.5, 0.1), localities(B, 0)),
                region -> Optional.of(LoadVector.ofReads(10)),
                server -> 1,
                0);
        PlacementView next = PlacementView.of(
                Optional.of(first),
                new ReportBatch(List.of(localities(B, 1, 0.2)), Map.of(A, 0L, B, 1L)),
                region -> Optional.of(LoadVector.ofReads(10)),
                server -> 1,
                1);

        assertThat(first.quantiles().locality()).isEqualTo(Quantiles.of(0.7, 1));
        assertThat(first.quantiles().shares(LoadDimension.READS)).isEqualTo(Quantiles.of(10 / 15.0, 20 / 15.0));
        assertThat(next.quantiles().locality()).isEqualTo(Quantiles.of(0.4, 0.7));
        assertThat(next.quantiles().shares(LoadDimension.READS)).isEqualTo(Quantiles.of(1, 1));
    }

    /** Regions of a kilobyte of which such shares are not local. */
    private static ServerReport localities(ServerId server, double... nonLocalShares) {
        List<RegionReport> regions = new ArrayList<>();
        for (double share : nonLocalShares) {
            regions.add(new RegionReport(
                    new EncodedRegionName(server.host() + regions.size()),
                    TABLE,
                    Optional.empty(),
                    RegionReport.UNKNOWN,
                    ReportedLoad.NONE.with(LoadDimension.STORE_SIZE, 1_000),
                    share));
        }
        return new ServerReport(server, 0, regions);
    }
}
