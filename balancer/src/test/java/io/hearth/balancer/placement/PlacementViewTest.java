package io.hearth.balancer.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.ingest.RegionReport;
import io.hearth.balancer.ingest.ServerReport;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementViewTest {

    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);
    private static final RegionId R = new RegionId("r");
    private static final RegionId S = new RegionId("s");
    private static final RegionId UNKNOWN = new RegionId("unknown");
    private static final TableId TABLE = new TableId("t");

    private final RecentPlacements recent = new RecentPlacements();

    private static ServerReport report(ServerId server, RegionId... regions) {
        return new ServerReport(
                server,
                0,
                Arrays.stream(regions)
                        .map(region -> new RegionReport(region, TABLE, 0, 0, 0))
                        .toList());
    }

    private static PlacementView view(Optional<PlacementView> before, long nowMs, ServerReport... reports) {
        PlacementView.Loads loads =
                (region, table) -> region.equals(UNKNOWN) ? Optional.empty() : Optional.of(LoadVector.of(10, 0, 0));
        return PlacementView.of(before, List.of(reports), loads, server -> 1, nowMs);
    }

    private static ServerRoom room(List<ServerRoom> rooms, ServerId server) {
        return rooms.stream()
                .filter(room -> room.server().equals(server))
                .findFirst()
                .orElseThrow();
    }

    private static double reads(ServerRoom room) {
        return room.load().get(LoadDimension.READS);
    }

    @Test
    void whatItServesCountsForAServer() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S), report(B, UNKNOWN));
        List<ServerRoom> rooms = view.rooms(List.of(A, B), Map.of(), Set.of());

        assertThat(reads(room(rooms, A))).isEqualTo(20);
        assertThat(room(rooms, A).regions()).isEqualTo(2);
        assertThat(reads(room(rooms, B))).as("its heat is unknown").isZero();
        assertThat(room(rooms, B).regions()).isEqualTo(1);
        assertThat(view.meanLoad()).isEqualTo(LoadVector.of(10, 0, 0));
    }

    @Test
    void aRegionOfADeadServerKeepsItsHeatForAnHour() {
        PlacementView before = view(Optional.empty(), 0, report(A, R), report(B, S));
        PlacementView after = view(Optional.of(before), PlacementView.REMEMBER_MS, report(A, R));

        assertThat(after.knows(B)).isFalse();
        assertThat(after.serverOf(S)).isEmpty();
        assertThat(after.load(S)).contains(LoadVector.of(10, 0, 0));
        assertThat(view(Optional.of(after), PlacementView.REMEMBER_MS + 1, report(A, R))
                        .load(S))
                .isEmpty();
    }

    @Test
    void whatIsToBePlacedCountsForNobodyAndWhatWasGivenSinceCountsWhereItIs() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S), report(B));
        recent.given(S, B, view, 1);
        List<ServerRoom> rooms = view.rooms(List.of(A, B), recent.serverByRegion(), Set.of(R));

        assertThat(room(rooms, A).regions()).isZero();
        assertThat(reads(room(rooms, A))).isZero();
        assertThat(room(rooms, B).regions()).isEqualTo(1);
        assertThat(room(rooms, B).arrivals()).isEqualTo(1);
        assertThat(reads(room(rooms, B))).isEqualTo(10);
    }

    @Test
    void aServerThatHasJustStartedHasWhatWasGivenToIt() {
        PlacementView view = view(Optional.empty(), 0, report(A, R, S));
        recent.given(UNKNOWN, B, view, 1);
        ServerRoom started = room(view.rooms(List.of(A, B), recent.serverByRegion(), Set.of()), B);

        assertThat(started).isEqualTo(new ServerRoom(B, view.meanLoad(), 1, 1, 1));
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

    @Test
    void aClockThatWasSetBackDoesNotKeepAPlacementForLonger() {
        PlacementView late = view(Optional.empty(), 1_000_000, report(A, S), report(B, R));
        recent.given(R, A, late, 1_000_000);

        recent.settle(view(Optional.empty(), 0, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEqualTo(Map.of(R, A));
        recent.settle(view(Optional.empty(), 1 + RecentPlacements.KEEP_MS, report(A, S), report(B, R)));
        assertThat(recent.serverByRegion()).isEmpty();
    }
}
