// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.heat.ServerRpcStats;
import io.hearth.balancer.heat.SuspectServer;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that reports on time and serves a part of what is asked of it: heat is what was served, so it looks cold. */
class SuspectServerPlanningTest {

    private static final int SICK = 0;
    private static final int REGIONS_PER_SERVER = 40;
    private static final long MINUTE = 60_000;

    static Stream<Arguments> oneSickServer() {
        return Stream.of(5, 10, 20).flatMap(servers -> Stream.of(0.1, 0.3, 0.5)
                .flatMap(served -> Stream.of(1L, 2L).map(seed -> Arguments.of(servers, served, seed))));
    }

    @ParameterizedTest(name = "{0} servers, {1} served, seed {2}")
    @MethodSource("oneSickServer")
    void itAttractsNoLoad(int servers, double served, long seed) {
        Cluster cluster = new Cluster(servers, seed);
        cluster.run(60);
        double before = cluster.shareOfDemand(SICK);
        cluster.served[SICK] = served;
        cluster.run(300);

        assertThat(cluster.movesTo(SICK, 60)).as("moves to the sick server").isZero();
        assertThat(cluster.shareOfDemand(SICK)).as("its share of the demand").isLessThanOrEqualTo(before);
        assertThat(cluster.suspects()).containsExactly(SICK);
        assertThat(cluster.lastDecision
                        .explain()
                        .get(cluster.lastDecision.explain().size() - 1))
                .startsWith(Cluster.server(SICK) + " is given no regions for the sake of heat: it serves ")
                .endsWith(
                        " % of what its regions served before: its regions all fell together, and the same tables did not"
                                + " elsewhere");
    }

    static Stream<Arguments> oneSickServerForADay() {
        return Stream.of(0.1, 0.3, 0.5)
                .flatMap(served -> Stream.concat(
                        Stream.of(1L, 2L).map(seed -> Arguments.of(5, served, seed)),
                        Stream.of(Arguments.of(10, served, 1L))));
    }

    /** It does not answer, and is believed after six hours and after twelve more. Where that is all: 199 moves, 2.2 fair shares. */
    @ParameterizedTest(name = "{0} servers, {1} served, seed {2}")
    @MethodSource("oneSickServerForADay")
    void inADayItAttractsLittleMoreThanAFairShare(int servers, double served, long seed) {
        Cluster cluster = new Cluster(servers, seed);
        cluster.run(60);
        cluster.served[SICK] = served;
        for (int hour = 1; hour <= 24; hour++) {
            cluster.run(60);
            assertThat(servers * cluster.shareOfDemand(SICK))
                    .as("fair shares of the demand after %d hours, seed %d", hour, seed)
                    .isLessThan(1.3);
        }

        assertThat(cluster.movesTo(SICK, 60)).as("moves to it, seed %d", seed).isLessThanOrEqualTo(25);
    }

    @ParameterizedTest(name = "{0} served")
    @CsvSource({"0.1", "0.3", "0.5"})
    void whileCallsWaitThereItAttractsNoLoadInADay(double served) {
        Cluster cluster = new Cluster(5, 1);
        cluster.run(60);
        double before = cluster.shareOfDemand(SICK);
        cluster.served[SICK] = served;
        for (int minute = 0; minute < 24 * 60; minute++) {
            cluster.run(1);
            cluster.engine.heat().rpcStatsReceived(Cluster.server(SICK), new ServerRpcStats(312, 480));
        }

        assertThat(cluster.movesTo(SICK, 60)).as("moves to the sick server").isZero();
        assertThat(cluster.shareOfDemand(SICK)).isLessThanOrEqualTo(before);
        assertThat(cluster.suspects()).containsExactly(SICK);
    }

    @ParameterizedTest(name = "{0} served")
    @CsvSource({"0.1", "0.3", "0.5"})
    void itsRegionsKeepTheHeatThatTheyHad(double served) {
        Cluster cluster = new Cluster(5, 4);
        cluster.run(60);
        double before = cluster.knownReads(SICK);
        cluster.served[SICK] = served;
        cluster.run(5);

        assertThat(cluster.knownReads(SICK)).isBetween(0.9 * before, 1.01 * before);
    }

    @Test
    void itRecoversWhenItsRatesDo() {
        Cluster cluster = new Cluster(5, 5);
        cluster.run(60);
        cluster.served[SICK] = 0.1;
        cluster.run(30);
        assertThat(cluster.suspects()).containsExactly(SICK);
        cluster.served[SICK] = 1;
        cluster.run(5);

        assertThat(cluster.suspects()).isEmpty();
    }

    @ParameterizedTest(name = "{0} servers, {1} served")
    @CsvSource({"6,0.1", "10,0.3", "20,0.5"})
    void halfOfTheServersSickAtOnceIsASickHdfsAndNothingMoves(int servers, double served) {
        Cluster cluster = new Cluster(servers, 6);
        cluster.run(60);
        int before = cluster.moves.size();
        for (int server = 0; server < servers / 2; server++) {
            cluster.served[server] = served;
        }
        cluster.run(180);

        assertThat(cluster.moves).hasSize(before);
        assertThat(cluster.lastDecision.nothingMoves()).isTrue();
        assertThat(cluster.lastDecision.whyNotCarriedOut())
                .contains(servers / 2 + " of " + servers
                        + " servers serve much less than they did; what they share (HDFS,"
                        + " the network) may be sick, and moves would not help");
    }

    @Test
    void aTableWhoseTrafficEndedMakesNobodySuspect() {
        Cluster cluster = new Cluster(5, 7);
        cluster.run(60);
        cluster.asked = table -> table == 0 ? 0 : 1;
        for (int minute = 0; minute < 120; minute++) {
            cluster.run(1);
            assertThat(cluster.suspects()).as("minute %d", minute).isEmpty();
        }
    }

    @Test
    void allTrafficThatEndedMakesNobodySuspect() {
        Cluster cluster = new Cluster(5, 8);
        cluster.run(60);
        cluster.asked = table -> 0.0;
        cluster.run(1);

        assertThat(cluster.suspects()).isEmpty();
    }

    /** Nobody has seen it healthy: only what lands there tells. */
    @ParameterizedTest(name = "{0} served")
    @CsvSource({"0.1", "0.3", "0.5"})
    void aServerThatWasSickFromTheBeginningIsKnownByWhatLandsThere(double served) {
        Cluster cluster = new Cluster(10, 9);
        cluster.served[SICK] = served;
        cluster.run(300);

        assertThat(cluster.suspects()).containsExactly(SICK);
        assertThat(cluster.movesTo(SICK, 30))
                .as("moves to it after half an hour")
                .isZero();
    }

    @Test
    void aSuspectAtEaseHasLostItsLoadAndIsNone() {
        Cluster cluster = new Cluster(5, 10);
        cluster.run(60);
        cluster.asksLessOfWhatIsOn(SICK, 0.3);
        cluster.run(3);
        assertThat(cluster.engine.heat().serversToProbe()).containsExactly(Cluster.server(SICK));

        cluster.engine.heat().rpcStatsReceived(Cluster.server(SICK), new ServerRpcStats(0, 3));
        assertThat(cluster.suspects()).isEmpty();
        double held = cluster.knownReads(SICK);
        cluster.run(1);
        assertThat(cluster.knownReads(SICK)).as("it is learnt from again").isLessThan(0.95 * held);
        cluster.run(60);
        assertThat(cluster.suspects()).isEmpty();
        assertThat(cluster.movesTo(SICK, 60)).as("it is given load again").isPositive();
    }

    @Test
    void aSuspectWithCallsInItsQueueSaysSo() {
        Cluster cluster = new Cluster(5, 11);
        cluster.run(60);
        cluster.served[SICK] = 0.3;
        cluster.run(3);
        cluster.engine.heat().rpcStatsReceived(Cluster.server(SICK), new ServerRpcStats(312, 480));

        assertThat(cluster.engine.heat().suspects())
                .singleElement()
                .extracting(SuspectServer::why)
                .asString()
                .endsWith("; 312 calls wait there, and one takes 480 ms");
    }

    /** Each region is up or down by as much for ten minutes: no server is sick. */
    @ParameterizedTest(name = "noise of {0}, seed {1}")
    @CsvSource({"0.3,1", "0.3,2", "0.6,1", "0.6,2", "0.6,3"})
    void noiseMakesNobodySuspect(double noise, long seed) {
        Cluster cluster = new Cluster(10, seed);
        cluster.noise = noise;
        for (int minute = 0; minute < 300; minute++) {
            cluster.run(1);
            assertThat(cluster.suspects())
                    .as("minute %d, seed %d", minute, seed)
                    .isEmpty();
        }
    }

    @Test
    void nobodyIsSuspectWhereTheRatioIsZero() {
        Cluster cluster = new Cluster(5, 12, Map.of("hearth.balancer.suspect.served.ratio", "0"));
        cluster.run(60);
        cluster.served[SICK] = 0.1;
        cluster.run(10);

        assertThat(cluster.suspects()).isEmpty();
    }

    /** A cluster of two tables under the engine, a look each minute and a run every five. */
    private static final class Cluster {

        private static final int TABLES = 2;
        private static final List<TableId> TABLE = IntStream.range(0, TABLES)
                .mapToObj(table -> new TableId("t" + table))
                .toList();

        private final BalanceEngine engine;
        private final int servers;
        private final List<EncodedRegionName> names;
        private final Random random;
        private final double[] demand;
        private final double[] noiseOf;
        private final int[] on;
        private final double[] count;
        private final long[] sequence;
        private final double[] served;
        private final List<int[]> moves = new ArrayList<>();
        private double noise;
        private IntToDoubleFunction asked = table -> 1;
        private Decision lastDecision;
        private long nowMs = 1_700_000_000_000L;
        private int minute;

        Cluster(int servers, long seed) {
            this(servers, seed, Map.of());
        }

        Cluster(int servers, long seed, Map<String, String> settings) {
            engine = new BalanceEngine(
                    BalancerConfig.read("test", new MapSettings(settings), key -> false), new DirectedPlanner()::plan);
            this.servers = servers;
            random = new Random(seed);
            int regions = servers * REGIONS_PER_SERVER;
            demand = IntStream.range(0, regions)
                    .mapToDouble(region -> 100 * Math.exp(0.7 * random.nextGaussian()))
                    .toArray();
            names = IntStream.range(0, regions)
                    .mapToObj(region -> new EncodedRegionName(String.format("%032x", region)))
                    .toList();
            noiseOf = new double[regions];
            on = IntStream.range(0, regions).map(region -> region % servers).toArray();
            count = new double[regions];
            sequence = new long[regions];
            served = IntStream.range(0, servers).mapToDouble(server -> 1).toArray();
        }

        /** Its clients went away: the same looks from outside as a server that is sick. */
        void asksLessOfWhatIsOn(int server, double share) {
            for (int region = 0; region < demand.length; region++) {
                demand[region] *= on[region] == server ? share : 1;
            }
        }

        void run(int minutes) {
            for (int end = minute + minutes; minute < end; minute++) {
                nowMs += MINUTE;
                serve();
                engine.observe(reports(), nowMs);
                if (minute % 5 == 4) {
                    balance();
                }
            }
        }

        private void serve() {
            for (int region = 0; region < demand.length; region++) {
                if (minute % 10 == 0) {
                    noiseOf[region] = 1 + noise * (2 * random.nextDouble() - 1);
                }
                count[region] +=
                        60 * demand[region] * noiseOf[region] * asked.applyAsDouble(table(region)) * served[on[region]];
            }
        }

        private List<ServerReport> reports() {
            Map<Integer, List<RegionReport>> byServer = new HashMap<>();
            for (int region = 0; region < demand.length; region++) {
                byServer.computeIfAbsent(on[region], first -> new ArrayList<>())
                        .add(new RegionReport(
                                names.get(region),
                                TABLE.get(table(region)),
                                Optional.empty(),
                                sequence[region],
                                ReportedLoad.NONE
                                        .with(LoadDimension.READS, (long) count[region])
                                        .with(LoadDimension.STORE_SIZE, 1L << 30),
                                0));
            }
            return IntStream.range(0, servers)
                    .mapToObj(
                            server -> new ServerReport(server(server), nowMs, byServer.getOrDefault(server, List.of())))
                    .toList();
        }

        private void balance() {
            engine.runStarted(region -> Optional.of(server(on[number(region)])), nowMs);
            ClusterStateBuilder states = engine.view(nowMs);
            IntStream.range(0, servers).forEach(server -> states.add(ServerState.of(server(server))));
            for (int region = 0; region < demand.length; region++) {
                states.add(
                        server(on[region]),
                        states.region(
                                names.get(region), names.get(region), TABLE.get(table(region)), LocalBytes.UNKNOWN));
            }
            ClusterState snapshot = states.all();
            PlanGoals goals = engine.goals(HBasePlanLimits.of(0.2, snapshot, 1), nowMs);
            lastDecision = engine.decide("t", snapshot, goals, nowMs);
            if (lastDecision.isToBeCarriedOut()) {
                engine.planApplied(lastDecision, snapshot, goals, nowMs);
                lastDecision.plan().moves().forEach(this::move);
            }
        }

        private void move(PlannedMove move) {
            int region = number(move.region());
            on[region] = Integer.parseInt(move.to().host().substring(1)) - 100;
            count[region] = 0;
            sequence[region]++;
            moves.add(new int[] {minute, on[region]});
        }

        long movesTo(int server, int fromMinute) {
            return moves.stream()
                    .filter(move -> move[0] >= fromMinute && move[1] == server)
                    .count();
        }

        double shareOfDemand(int server) {
            double all = 0;
            double ofServer = 0;
            for (int region = 0; region < demand.length; region++) {
                all += demand[region];
                ofServer += on[region] == server ? demand[region] : 0;
            }
            return ofServer / all;
        }

        /** The reads a second that plans count for the regions of this server. */
        double knownReads(int server) {
            return IntStream.range(0, demand.length)
                    .filter(region -> on[region] == server)
                    .mapToDouble(region ->
                            engine.load(names.get(region)).orElseThrow().get(LoadDimension.READS))
                    .sum();
        }

        Set<Integer> suspects() {
            Set<Integer> suspects = new TreeSet<>();
            engine.heat()
                    .suspects()
                    .forEach(suspect -> suspects.add(
                            Integer.parseInt(suspect.server().host().substring(1)) - 100));
            return suspects;
        }

        private int table(int region) {
            return region / servers % TABLES;
        }

        private static int number(EncodedRegionName region) {
            return Integer.parseInt(region.encodedName(), 16);
        }

        static ServerId server(int number) {
            return new ServerId("h" + (100 + number), 16020, 1);
        }
    }
}
