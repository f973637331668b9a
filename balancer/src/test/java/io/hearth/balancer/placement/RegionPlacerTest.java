package io.hearth.balancer.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.placement.Placement.Because;
import io.hearth.balancer.placement.PlacementRules.HeatCap;
import io.hearth.balancer.snapshot.LocalBytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionPlacerTest {

    private static final ServerId A = new ServerId("a", 1, 1);
    private static final ServerId B = new ServerId("b", 1, 1);
    private static final ServerId C = new ServerId("c", 1, 1);
    private static final PlacementRules HEAT_ONLY =
            new PlacementRules(Map.of(LoadDimension.READS, new HeatCap(1.2, 0)), -1, 1_000);

    private static ServerRoom room(ServerId server, double reads, int regions) {
        return new ServerRoom(server, LoadVector.of(reads, 0, 0), regions);
    }

    private static HomelessRegion region(String name, double reads, LocalBytes local) {
        return new HomelessRegion(new RegionId(name), LoadVector.of(reads, 0, 0), local);
    }

    private static LocalBytes on(ServerId server) {
        return LocalBytes.of(100, Map.of(server.host(), 100L));
    }

    private static Map<String, ServerId> servers(Placement placement) {
        return placement.regions().stream()
                .collect(Collectors.toMap(placed -> placed.region().encodedName(), Placement.PlacedRegion::server));
    }

    private static Map<String, Because> reasons(Placement placement) {
        return placement.regions().stream()
                .collect(Collectors.toMap(placed -> placed.region().encodedName(), Placement.PlacedRegion::because));
    }

    @Test
    void theExampleOfTheJavadoc() {
        Placement placement = RegionPlacer.place(
                List.of(room(A, 10, 5), room(B, 10, 5), room(C, 0, 5)),
                List.of(region("six", 6, on(A)), region("three", 3, on(A)), region("one", 1, on(A))),
                HEAT_ONLY);

        assertThat(servers(placement)).isEqualTo(Map.of("six", C, "three", C, "one", A));
        assertThat(reasons(placement))
                .isEqualTo(Map.of("six", Because.MOST_ROOM, "three", Because.MOST_ROOM, "one", Because.MOST_BYTES));
        assertThat(placement.summary())
                .isEqualTo(
                        "3 regions placed: 1 where most of their bytes are, 2 on the server with most room, 0 with no"
                                + " room anywhere; 100 of 300 bytes are local");
    }

    @Test
    void aRegionThatIsHotterThanAnyRoomGoesToTheCoolest() {
        Placement placement = RegionPlacer.place(
                List.of(room(A, 10, 5), room(B, 8, 5)), List.of(region("scorching", 100, on(A))), HEAT_ONLY);

        assertThat(servers(placement)).isEqualTo(Map.of("scorching", B));
        assertThat(reasons(placement)).isEqualTo(Map.of("scorching", Because.NO_ROOM));
    }

    @Test
    void aServerOfTwiceTheCapacityTakesTwiceTheHeat() {
        List<HomelessRegion> regions = new ArrayList<>();
        for (int region = 0; region < 30; region++) {
            regions.add(region("r" + region, 10, LocalBytes.UNKNOWN));
        }
        Placement placement = RegionPlacer.place(
                List.of(new ServerRoom(A, LoadVector.ZERO, 0, 0, 2), room(B, 0, 0)), regions, HEAT_ONLY);

        assertThat(servers(placement).values().stream().filter(A::equals)).hasSize(20);
    }

    @Test
    void anEmptyServerIsNotGivenEverythingAtOnce() {
        List<ServerRoom> servers = new ArrayList<>();
        for (int server = 0; server < 9; server++) {
            servers.add(room(RandomHomeless.server(server), 1_000, 100));
        }
        servers.add(room(RandomHomeless.server(9), 0, 0));
        List<HomelessRegion> regions = new ArrayList<>();
        for (int region = 0; region < 100; region++) {
            regions.add(region("r" + region, 10, LocalBytes.UNKNOWN));
        }

        // Healthy 20: twice its even share of 10. Broken (no limit on the intake): all 100.
        assertThat(toTheEmptyServer(servers, regions, 2)).isEqualTo(20);
        assertThat(toTheEmptyServer(servers, regions, 1_000)).isEqualTo(100);
    }

    private static long toTheEmptyServer(List<ServerRoom> servers, List<HomelessRegion> regions, double intake) {
        PlacementRules rules = new PlacementRules(HEAT_ONLY.capByDimension(), 0.2, intake);
        return RegionPlacer.place(servers, regions, rules).regions().stream()
                .filter(placed -> placed.server().equals(RandomHomeless.server(9)))
                .count();
    }

    @Test
    void withoutServersThereIsNoPlacement() {
        assertThatThrownBy(() -> RegionPlacer.place(List.of(), List.of(region("r", 1, on(A))), HEAT_ONLY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There are no servers to place 1 regions on.");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aHundredWildClustersKeepEveryRule(long block) {
        for (long seed = block * 100; seed < block * 100 + 100; seed++) {
            RandomHomeless input = RandomHomeless.wild(seed);
            Placement placement = RegionPlacer.place(input.servers(), input.regions(), RandomHomeless.RULES);
            String shown = "seed " + seed + ": " + input;

            assertThat(placement.regions().stream().map(Placement.PlacedRegion::region))
                    .as(shown)
                    .containsExactlyInAnyOrderElementsOf(
                            input.regions().stream().map(HomelessRegion::region).toList());
            assertThat(input.servers().stream().map(ServerRoom::server))
                    .as(shown)
                    .containsAll(placement.regions().stream()
                            .map(Placement.PlacedRegion::server)
                            .toList());
            assertThat(placement.regions().stream()
                            .collect(Collectors.toMap(Placement.PlacedRegion::region, Placement.PlacedRegion::server)))
                    .as(shown)
                    .isEqualTo(new NaivePlacer(input, RandomHomeless.RULES).place());
            assertThat(RegionPlacer.place(
                            shuffled(input.servers(), seed), shuffled(input.regions(), seed), RandomHomeless.RULES))
                    .as(shown)
                    .isEqualTo(placement);
            assertCapsAreHeld(input, placement, shown);
        }
    }

    private static <T> List<T> shuffled(List<T> list, long seed) {
        List<T> shuffled = new ArrayList<>(list);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }

    /** Replays the placement: a server is above a cap only by a region for which no server was below all of them. */
    private static void assertCapsAreHeld(RandomHomeless input, Placement placement, String shown) {
        Map<ServerId, ServerRoom> rooms = new HashMap<>();
        input.servers().forEach(room -> rooms.put(room.server(), room));
        Map<RegionId, HomelessRegion> regions = new HashMap<>();
        input.regions().forEach(region -> regions.put(region.region(), region));
        Caps caps = Caps.of(input);
        for (Placement.PlacedRegion placed : placement.regions()) {
            LoadVector load = regions.get(placed.region()).load();
            boolean hadRoom = rooms.values().stream().anyMatch(room -> caps.hold(room, load));
            ServerRoom chosen = rooms.get(placed.server());
            assertThat(caps.hold(chosen, load))
                    .as("%s on %s, %s", placed, chosen, shown)
                    .isEqualTo(hadRoom);
            assertThat(chosen.regions()).as(shown).isLessThan(caps.regions());
            rooms.put(
                    chosen.server(),
                    new ServerRoom(
                            chosen.server(),
                            RandomHomeless.plus(chosen.load(), load),
                            chosen.regions() + 1,
                            0,
                            chosen.capacity()));
        }
    }

    /** The caps, worked out from the totals alone. */
    private record Caps(double reads, double writes, int regions) {

        static Caps of(RandomHomeless input) {
            double capacity =
                    input.servers().stream().mapToDouble(ServerRoom::capacity).sum();
            int count = input.servers().stream().mapToInt(ServerRoom::regions).sum()
                    + input.regions().size();
            return new Caps(cap(input, LoadDimension.READS, capacity), cap(input, LoadDimension.WRITES, capacity), (int)
                    Math.ceil(1.2 * count / input.servers().size() - 1e-9));
        }

        private static double cap(RandomHomeless input, LoadDimension dimension, double capacity) {
            double total = input.servers().stream()
                            .mapToDouble(s -> s.load().get(dimension))
                            .sum()
                    + input.regions().stream()
                            .mapToDouble(r -> r.load().get(dimension))
                            .sum();
            return total / input.servers().size() < 20 ? Double.MAX_VALUE : 1.2 * total / capacity;
        }

        boolean hold(ServerRoom room, LoadVector more) {
            LoadVector load = RandomHomeless.plus(room.load(), more);
            return room.regions() < regions
                    && load.get(LoadDimension.READS) <= reads * room.capacity() * (1 + 1e-9)
                    && load.get(LoadDimension.WRITES) <= writes * room.capacity() * (1 + 1e-9);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void moreBytesAreLocalThanByLot(long seed) {
        int servers = 3 + (int) (seed * seed / 4);
        RandomHomeless input = RandomHomeless.deadServer(seed, servers, 10 + 5 * (int) seed);
        Placement placement = RegionPlacer.place(input.servers(), input.regions(), RandomHomeless.RULES);
        double byLot = input.servers().stream()
                .mapToLong(server -> input.regions().stream()
                        .mapToLong(region -> NaivePlacer.bytes(server, region))
                        .sum())
                .average()
                .orElseThrow();

        assertThat((double) placement.localBytes())
                .as("seed %d: %s", seed, placement.summary())
                .isGreaterThan(byLot);
    }
}
