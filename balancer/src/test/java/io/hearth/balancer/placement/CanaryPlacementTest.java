// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.placement.CanaryPlacement.CanaryMove;
import io.hearth.balancer.placement.CanaryPlacement.CanaryRegion;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanaryPlacementTest {

    private static final ServerId A = server("a");
    private static final ServerId B = server("b");
    private static final ServerId C = server("c");
    private static final List<ServerId> ABC = List.of(A, B, C);
    private static final int ALL = Integer.MAX_VALUE;

    private static ServerId server(String host) {
        return new ServerId(host, 16020, 1);
    }

    private static CanaryRegion region(int number) {
        return replica(number, 0);
    }

    private static CanaryRegion replica(int number, int replicaId) {
        EncodedRegionName primary = name(number, 0);
        return new CanaryRegion(name(number, replicaId), primary, replicaId);
    }

    private static EncodedRegionName name(int number, int replicaId) {
        return new EncodedRegionName(String.format("r%04d-%d", number, replicaId));
    }

    @Test
    void theServerWithTwoGivesOneToTheServerWithoutAny() {
        Map<CanaryRegion, ServerId> now = Map.of(region(1), A, region(2), A, region(3), B);

        assertThat(CanaryPlacement.plan(now, ABC, Set.of(), ALL))
                .isEqualTo(new CanaryPlacement(List.of(new CanaryMove(name(1, 0), A, C)), 3, 3, 0));
    }

    @Test
    void whereEachHasOneNothingMoves() {
        Map<CanaryRegion, ServerId> now = Map.of(region(1), C, region(2), A, region(3), B);

        assertThat(CanaryPlacement.plan(now, ABC, Set.of(), ALL)).isEqualTo(new CanaryPlacement(List.of(), 3, 3, 0));
    }

    @Test
    void moreServersThanRegionsHaveAtMostOneEachAndItSaysHowManyHaveNone() {
        Map<CanaryRegion, ServerId> now = Map.of(region(1), A, region(2), A);

        assertThat(CanaryPlacement.plan(now, ABC, Set.of(), ALL))
                .isEqualTo(new CanaryPlacement(List.of(new CanaryMove(name(1, 0), A, B)), 2, 3, 1));
    }

    @Test
    void moreRegionsThanServersAreSpreadEvenly() {
        Map<CanaryRegion, ServerId> now = new HashMap<>();
        IntStream.range(0, 7).forEach(number -> now.put(region(number), A));

        CanaryPlacement placement = CanaryPlacement.plan(now, ABC, Set.of(), ALL);

        assertThat(placement.moves()).hasSize(4);
        assertThat(placement.serversWithout()).isZero();
        assertThat(counts(after(now, placement), ABC, 0)).containsExactly(3, 2, 2);
    }

    @Test
    void aClosedServerIsGivenNoneAndKeepsItsOwn() {
        Map<CanaryRegion, ServerId> now = Map.of(region(1), A, region(2), A, region(3), B);

        assertThat(CanaryPlacement.plan(now, ABC, Set.of(C), ALL)).isEqualTo(new CanaryPlacement(List.of(), 3, 3, 1));
        assertThat(CanaryPlacement.plan(now, ABC, Set.of(A, B), ALL).moves())
                .containsExactly(new CanaryMove(name(1, 0), A, C));
    }

    @Test
    void aRegionOfAServerThatIsNotAskedAboutCountsNowhere() {
        Map<CanaryRegion, ServerId> now = Map.of(region(1), A, region(2), C);

        assertThat(CanaryPlacement.plan(now, List.of(A, B), Set.of(), ALL))
                .isEqualTo(new CanaryPlacement(List.of(), 1, 2, 1));
    }

    @Test
    void noMoreMovesThanThereMayBe() {
        Map<CanaryRegion, ServerId> now = new HashMap<>();
        IntStream.range(0, 3).forEach(number -> now.put(region(number), A));

        assertThat(CanaryPlacement.plan(now, ABC, Set.of(), 1).moves()).hasSize(1);
        assertThat(CanaryPlacement.plan(now, ABC, Set.of(), 0).moves()).isEmpty();
    }

    /** Broken (the first region goes, whatever is on the target): region 1 would come to its own replica. */
    @Test
    void noRegionComesToAHostWithAReplicaOfIt() {
        Map<CanaryRegion, ServerId> now = Map.of(region(1), A, region(2), A, replica(1, 1), B, replica(2, 1), A);

        assertThat(CanaryPlacement.plan(now, List.of(A, B), Set.of(), ALL).moves())
                .containsExactly(new CanaryMove(name(2, 0), A, B));
        assertThat(CanaryPlacement.plan(now, List.of(A, B), Set.of(A), ALL).moves())
                .as("what comes to its replica could not be sent back")
                .containsExactly(new CanaryMove(name(2, 0), A, B));
    }

    @Test
    void replicasOnOneHostArePartedThoughNumbersAreEven() {
        ServerId second = new ServerId("a", 16021, 1);
        Map<CanaryRegion, ServerId> now =
                Map.of(region(1), A, region(2), second, region(3), B, replica(1, 1), second, replica(3, 1), C);

        Map<CanaryRegion, ServerId> after =
                after(now, CanaryPlacement.plan(now, List.of(A, second, B, C), Set.of(), ALL));

        assertThat(meeting(after)).isEmpty();
    }

    @Test
    void lostRegionsGoWhereThereIsNone() {
        Map<CanaryRegion, ServerId> others = Map.of(region(1), A);

        assertThat(CanaryPlacement.place(List.of(region(2), region(3), region(4)), others, ABC))
                .isEqualTo(new TreeMap<>(Map.of(region(2), B, region(3), C, region(4), A)));
        assertThat(CanaryPlacement.place(List.of(replica(1, 1)), others, ABC))
                .as("not to its primary's host")
                .isEqualTo(new TreeMap<>(Map.of(replica(1, 1), B)));
        assertThat(CanaryPlacement.place(List.of(replica(1, 1)), others, List.of(A)))
                .as("there is no choice")
                .isEqualTo(new TreeMap<>(Map.of(replica(1, 1), A)));
        assertThat(CanaryPlacement.place(List.of(region(1)), others, ABC))
                .as("where it was last counts for nothing")
                .isEqualTo(new TreeMap<>(Map.of(region(1), A)));
        assertThatThrownBy(() -> CanaryPlacement.place(List.of(region(1)), others, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no server for a canary region.");
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 200);
    }

    /** A cluster that crashes, restarts, grows, is drained, and whose table is split: after each run everything is as it should be. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void afterEachEventOneRunPutsOneOnEachServer(long seed) {
        Random random = new Random(seed);
        List<ServerId> servers = new ArrayList<>();
        int first = 3 + random.nextInt(3 + (int) (seed / 4));
        IntStream.range(0, first).forEach(index -> servers.add(server("rs" + index)));
        int replicas = first > 3 && seed % 3 == 0 ? 2 : 1;
        Set<CanaryRegion> table = new TreeSet<>();
        IntStream.range(0, first).forEach(number -> split(table, number, replicas));
        Map<CanaryRegion, ServerId> now = new TreeMap<>(CanaryPlacement.place(table, Map.of(), servers));
        if (replicas == 1) {
            assertThat(problems(now, servers, Set.of()))
                    .as("created, seed %d", seed)
                    .isEmpty();
        }
        for (int event = 0; event < 30; event++) {
            Set<ServerId> closed = new HashSet<>();
            String what = happen(random, servers, table, now, replicas, event, closed);
            Map<CanaryRegion, ServerId> before = new TreeMap<>(now);

            CanaryPlacement placement = CanaryPlacement.plan(before, servers, closed, ALL);
            now.putAll(after(before, placement));

            assertThat(problems(now, servers, closed))
                    .as("seed %d, event %d: %s; before %s; %s", seed, event, what, before, placement)
                    .isEmpty();
            assertThat(placement.moves())
                    .as("seed %d, event %d: %s", seed, event, what)
                    .extracting(CanaryMove::region)
                    .doesNotHaveDuplicates();
            assertThat(placement.moves()).noneMatch(move -> closed.contains(move.to()));
            assertThat(CanaryPlacement.plan(now, servers, closed, ALL).moves())
                    .as("seed %d, event %d: %s: the next run has nothing to do", seed, event, what)
                    .isEmpty();
            if (replicas == 1) {
                assertThat(placement.moves())
                        .as("seed %d, event %d: %s: no move too many", seed, event, what)
                        .hasSize(leastMoves(before, servers, closed));
            }
        }
    }

    private static String happen(
            Random random,
            List<ServerId> servers,
            Set<CanaryRegion> table,
            Map<CanaryRegion, ServerId> now,
            int replicas,
            int event,
            Set<ServerId> closed) {
        switch (random.nextInt(servers.size() > 4 ? 6 : 3)) {
            case 0:
                servers.add(server("new" + event));
                return "a server joins";
            case 1:
                split(table, 1_000 + event, replicas);
                now.putAll(CanaryPlacement.place(without(table, now), now, servers));
                return "a region is added";
            case 2:
                // As somebody's script does it, or the stock balancer.
                for (CanaryRegion region : List.copyOf(now.keySet())) {
                    if (region.replicaId() == 0 && random.nextInt(3) == 0) {
                        now.put(region, servers.get(random.nextInt(servers.size())));
                    }
                }
                return "regions are moved by lot";
            case 3:
                ServerId dead = servers.remove(random.nextInt(servers.size()));
                now.values().removeIf(dead::equals);
                now.putAll(CanaryPlacement.place(without(table, now), now, servers));
                return dead + " crashes";
            case 4:
                ServerId old = servers.remove(random.nextInt(servers.size()));
                now.values().removeIf(old::equals);
                now.putAll(CanaryPlacement.place(without(table, now), now, servers));
                servers.add(new ServerId(old.host(), old.port(), old.startCode() + 1));
                return old + " is restarted";
            default:
                closed.add(servers.get(random.nextInt(servers.size())));
                servers.add(server("closed" + event));
                closed.add(servers.get(servers.size() - 1));
                return closed + " are given no regions";
        }
    }

    private static void split(Set<CanaryRegion> table, int number, int replicas) {
        IntStream.range(0, replicas).forEach(replicaId -> table.add(replica(number, replicaId)));
    }

    private static Set<CanaryRegion> without(Set<CanaryRegion> table, Map<CanaryRegion, ServerId> assigned) {
        Set<CanaryRegion> lost = new TreeSet<>(table);
        lost.removeAll(assigned.keySet());
        return lost;
    }

    /** What is not as it should be; counted from the regions alone, without a look at how they are chosen. */
    private static List<String> problems(
            Map<CanaryRegion, ServerId> now, List<ServerId> servers, Set<ServerId> closed) {
        List<String> problems = new ArrayList<>(meeting(now));
        int replicas =
                now.keySet().stream().mapToInt(CanaryRegion::replicaId).max().orElse(0) + 1;
        for (int replicaId = 0; replicaId < replicas; replicaId++) {
            List<Integer> counts = counts(now, servers, replicaId);
            for (int server = 0; server < servers.size(); server++) {
                int most = Collections.max(counts);
                if (most - counts.get(server) > 1 && !closed.contains(servers.get(server))) {
                    problems.add(servers.get(server) + " has " + counts.get(server) + " of replica id " + replicaId
                            + " and another has " + most);
                }
            }
        }
        return problems;
    }

    private static List<String> meeting(Map<CanaryRegion, ServerId> now) {
        List<String> meeting = new ArrayList<>();
        Set<List<String>> seen = new HashSet<>();
        now.forEach((region, server) -> {
            if (!seen.add(List.of(server.host(), region.primary().encodedName()))) {
                meeting.add("two replicas of " + region.primary() + " on " + server.host());
            }
        });
        return meeting;
    }

    private static List<Integer> counts(Map<CanaryRegion, ServerId> now, Collection<ServerId> servers, int replicaId) {
        return servers.stream()
                .map(server -> (int) now.entrySet().stream()
                        .filter(entry -> entry.getKey().replicaId() == replicaId
                                && entry.getValue().equals(server))
                        .count())
                .toList();
    }

    /** One region after the other goes from a server with most to an open one with fewest: no plan needs fewer. */
    private static int leastMoves(Map<CanaryRegion, ServerId> now, List<ServerId> servers, Set<ServerId> closed) {
        int[] counts =
                counts(now, servers, 0).stream().mapToInt(Integer::intValue).toArray();
        int moves = 0;
        while (true) {
            int most = 0;
            int fewest = -1;
            for (int server = 0; server < counts.length; server++) {
                most = counts[server] > counts[most] ? server : most;
                boolean isOpen = !closed.contains(servers.get(server));
                fewest = isOpen && (fewest < 0 || counts[server] < counts[fewest]) ? server : fewest;
            }
            if (fewest < 0 || counts[most] - counts[fewest] < 2) {
                return moves;
            }
            counts[most]--;
            counts[fewest]++;
            moves++;
        }
    }

    private static Map<CanaryRegion, ServerId> after(Map<CanaryRegion, ServerId> before, CanaryPlacement placement) {
        Map<EncodedRegionName, CanaryMove> moveByRegion = new HashMap<>();
        placement.moves().forEach(move -> moveByRegion.put(move.region(), move));
        Map<CanaryRegion, ServerId> after = new TreeMap<>(before);
        after.replaceAll((region, server) -> {
            CanaryMove move = moveByRegion.get(region.region());
            assertThat(move == null || move.from().equals(server))
                    .as("%s from %s", move, server)
                    .isTrue();
            return move == null ? server : move.to();
        });
        return after;
    }
}
