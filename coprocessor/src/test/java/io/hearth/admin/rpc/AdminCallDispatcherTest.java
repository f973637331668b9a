// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.HBasePlanLimits;
import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.Pin;
import io.hearth.balancer.state.RegionState;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AdminCallDispatcherTest {

    private static ApiResponse ask(AdminCall ask, String json) {
        return new AdminCallDispatcher(mock(HMaster.class), "bob").of(ask, json);
    }

    @Test
    void aRequestThatIsTooLargeIsNotParsed() {
        // No JSON: who parses it first answers 400.
        String large = "{\"moves\":[" + " ".repeat(AdminCallDispatcher.MAX_CHARACTERS);

        ApiResponse answer = ask(AdminCall.ANNOUNCE_MOVES, large);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body())
                .isEqualTo("{\"problem\":\"A request may have 1048576 characters and this one has " + large.length()
                        + ". Ask in several.\"}");
    }

    @Test
    void aRequestMustBeAnObject() {
        assertThat(ask(AdminCall.GET_PLANS, "no json").status()).isEqualTo(400);
        assertThat(ask(AdminCall.GET_PLANS, "[]").body())
                .isEqualTo("{\"problem\":\"What is asked must be a JSON object.\"}");
    }

    @Test
    void aFieldThatCannotBeReadIsNamed() {
        HMaster master = masterWith("0123");
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine());

        ApiResponse answer =
                new AdminCallDispatcher(master, "bob").of(AdminCall.ANNOUNCE_MOVES, "{\"moves\":[{\"region\":{}}]}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"problem\":\"moves[0].region is missing or no text.\"}");
    }

    /** Region 0123 is of table t on a; b is online, and c is not. */
    @Test
    void movesAreBelievedAsFarAsTheMasterItselfKnowsTheirRegionsAndServers() {
        HMaster master = masterWith("0123");
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine());
        when(master.getServerManager().isServerOnline(ServerName.valueOf("b", 16020, 1)))
                .thenReturn(true);

        assertThat(announced(master, "0123", "a", "b")).isEqualTo("{\"done\":\"1 moves are expected.\"}");
        assertThat(announced(master, "0123", "a", "c")).isEqualTo(noneFor("c,16020,1 is not online"));
        assertThat(announced(master, "0123", "b", "b")).isEqualTo(noneFor("region 0123 is not on b,16020,1"));
        assertThat(announced(master, "0124", "a", "b")).isEqualTo(noneFor("there is no region 0124 of table t"));
    }

    private static String announced(HMaster master, String region, String from, String to) {
        String move = "{\"region\":\"%s\",\"table\":\"t\",\"from\":\"%s,16020,1\",\"to\":\"%s,16020,1\"}"
                .formatted(region, from, to);
        return new AdminCallDispatcher(master, "bob")
                .of(AdminCall.ANNOUNCE_MOVES, "{\"moves\":[" + move + "]}")
                .body();
    }

    private static String noneFor(String why) {
        return "{\"done\":\"0 moves are expected.\",\"refused\":\"1 can't be made as the cluster is now; the first of them: "
                + why + ".\"}";
    }

    @Test
    void thePlansAreThoseOfADryRun() throws IOException {
        HMaster master = masterWith("0123");
        BalanceEngine engine = engine();
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine);
        List<Runnable> run = new ArrayList<>();
        when(master.balance(any())).thenAnswer(call -> {
            assertThat(((BalanceRequest) call.getArgument(0)).isDryRun()).isTrue();
            run.forEach(Runnable::run);
            return BalanceResponse.newBuilder().setBalancerRan(!run.isEmpty()).build();
        });
        assertThat(plans(master).status()).isEqualTo(503);
        assertThat(plans(master).body()).contains("HBase's balancer does not run now");

        run.add(() -> engine.notPlanned("t", () -> Set.of(), "planning failed"));
        assertThat(plans(master).status()).isEqualTo(503);
        assertThat(plans(master).body()).isEqualTo("{\"problem\":\"No plan is made for t: planning failed\"}");

        run.add(() -> decide(engine, "0123"));
        assertThat(plans(master).body())
                .isEqualTo(
                        "{\"balancer\":true,\"plans\":[],\"notPlanned\":\"No plan is made for t: planning failed\"}");

        run.remove(0);
        assertThat(plans(master).body()).isEqualTo("{\"balancer\":true,\"plans\":[]}");
    }

    /** Broken (the engine that learns nothing any more is asked): 200 and no plans, as if there were nothing to move. */
    @Test
    void ofABalancerThatRestsThereIsNoPlanButTheReason() throws IOException {
        HMaster master = masterWith("0123");
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine());

        MasterComponentRegistry.balancerRests(master.getConfiguration(), "NoSuchMethodError: gone.");

        String problem =
                "{\"problem\":\"Hearth's balancer plans nothing, because it rests until the HMaster is started again:"
                        + " NoSuchMethodError: gone.\"}";
        for (AdminCall call : List.of(
                AdminCall.GET_PLANS,
                AdminCall.EXPLAIN_REGIONS,
                AdminCall.ANNOUNCE_MOVES,
                AdminCall.REMOVE_PIN,
                AdminCall.ADVISE,
                AdminCall.ACT)) {
            ApiResponse answer = new AdminCallDispatcher(master, "bob").of(call, "{}");
            assertThat(answer.status()).as(call.name()).isEqualTo(503);
            assertThat(answer.body()).as(call.name()).isEqualTo(problem);
        }
    }

    /** Broken (the caller's handler waits): each try of the client holds another one, for the five minutes of a run. */
    @Test
    @Timeout(30)
    void aRunThatHoldsTheBalancersLockIsSaidAndNotWaitedFor() throws Exception {
        HMaster master = masterWith("0123");
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine());
        // A third of it is waited for another dry run, and a third for this one.
        master.getConfiguration().setLong("hbase.rpc.timeout", 150);
        CountDownLatch runs = new CountDownLatch(1);
        when(master.balance(any())).thenAnswer(call -> {
            runs.await();
            return BalanceResponse.newBuilder().setBalancerRan(true).build();
        });
        try {
            ApiResponse answer = plans(master);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("HBase's balancer makes moves just now");
            assertThat(plans(master).status()).as("asked again meanwhile").isEqualTo(503);
        } finally {
            runs.countDown();
        }
        master.getConfiguration().setLong("hbase.rpc.timeout", 60_000);
        assertThat(plans(master).status()).as("it waits for the one before").isEqualTo(200);
    }

    private static ApiResponse plans(HMaster master) {
        return new AdminCallDispatcher(master, "bob").of(AdminCall.GET_PLANS, "{}");
    }

    /** The plan is that of a dry run in the master; it is asked for once, and nothing is moved. */
    @Test
    void aRegionIsExplainedFromADryRunOfTheBalancer() throws IOException {
        HMaster master = masterWith("0123");
        BalanceEngine engine = engine();
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine);
        when(master.balance(any())).thenAnswer(call -> {
            assertThat(((BalanceRequest) call.getArgument(0)).isDryRun()).isTrue();
            decide(engine, "0123");
            return BalanceResponse.newBuilder().setBalancerRan(true).build();
        });

        ApiResponse answer = explain(master, "t,,1.0123.");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .startsWith("{\"reasons\":[{\"region\":\"0123\",\"table\":\"t\",\"server\":\"a,16020,1\",\"reason\":\"")
                .contains("NOTHING_ABOVE_TRIGGER");
    }

    /** Broken (the answer lacks it): who asks is told five causes, of which this is none. */
    @Test
    void aRegionOnADrainingServerIsToldSo() throws IOException {
        HMaster master = masterWith("0123");
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine());
        when(master.balance(any()))
                .thenReturn(BalanceResponse.newBuilder().setBalancerRan(true).build());
        when(master.getServerManager().getDrainingServersList()).thenReturn(List.of(ServerName.valueOf("a", 16020, 1)));

        assertThat(explain(master, "0123").body())
                .isEqualTo("{\"reasons\":[{\"region\":\"0123\",\"table\":\"t\",\"server\":\"a,16020,1\","
                        + "\"reason\":\"SERVER_DRAINING\",\"text\":\"0123 of t stays on a,16020,1: its server is draining"
                        + " or decommissioned, and HBase balances without it\"}]}");
    }

    @Test
    void whatCannotBeExplainedIsOneSentence() throws IOException {
        HMaster master = masterWith("0123");
        BalanceEngine engine = engine();
        assertThat(explain(master, "0123").status()).as("no balancer").isEqualTo(404);
        MasterComponentRegistry.registerEngine(master.getConfiguration(), engine);
        when(master.balance(any()))
                .thenReturn(BalanceResponse.newBuilder().setBalancerRan(false).build());

        assertThat(explain(master, "0124").status()).isEqualTo(400);
        assertThat(explain(master, "0124").body()).isEqualTo("{\"problem\":\"the master has no region 0124\"}");
        assertThat(explain(master, ".").status()).isEqualTo(400);
        assertThat(explain(master).body()).contains("regions must be a list of 1 to 100 names of regions");
        assertThat(explain(master, "0123").status()).isEqualTo(503);
        assertThat(explain(master, "0123").body()).contains("HBase's balancer does not run now");
        assertThat(engine.decisions()).isEmpty();
    }

    /** Broken (an engine is there, whatever its mode): balancer plan tells of an empty plan that nobody has made. */
    @Test
    void whereTheBalancerIsOffTheMasterHasNoPlans() throws IOException {
        assertThat(plans("act")).contains("\"balancer\":true");
        assertThat(plans("advise")).contains("\"balancer\":true");
        assertThat(plans("off")).contains("\"balancer\":false");
    }

    private static String plans(String mode) throws IOException {
        HMaster master = mock(HMaster.class);
        when(master.getConfiguration()).thenReturn(new Configuration(false));
        when(master.balance(any()))
                .thenReturn(BalanceResponse.newBuilder().setBalancerRan(true).build());
        MasterComponentRegistry.registerEngine(
                master.getConfiguration(),
                new BalanceEngine(
                        BalancerConfig.read(
                                "test", new MapSettings(Map.of("hearth.balancer.mode", mode)), key -> false),
                        new DirectedPlanner()::plan));
        return plans(master).body();
    }

    private static HMaster masterWith(String region) {
        HMaster master = mock(HMaster.class, RETURNS_DEEP_STUBS);
        when(master.getConfiguration()).thenReturn(new Configuration(false));
        RegionStates states = mock(RegionStates.class);
        RegionStateNode node = mock(RegionStateNode.class);
        when(node.getTable()).thenReturn(TableName.valueOf("t"));
        when(node.getRegionLocation()).thenReturn(ServerName.valueOf("a", 16020, 1));
        when(node.isInState(State.OPEN)).thenReturn(true);
        when(states.getRegionStateNodeFromEncodedRegionName(region)).thenReturn(node);
        when(master.getAssignmentManager().getRegionStates()).thenReturn(states);
        return master;
    }

    private static BalanceEngine engine() {
        return new BalanceEngine(
                BalancerConfig.read("test", new MapSettings(Map.of()), key -> false), new DirectedPlanner()::plan);
    }

    private static void decide(BalanceEngine engine, String region) {
        ClusterState snapshot = ClusterState.of(Map.of(
                new ServerId("a", 16020, 1),
                List.of(new RegionState(
                        new EncodedRegionName(region), new TableId("t"), LoadVector.ofReads(1), Pin.FREE)),
                new ServerId("b", 16020, 1),
                List.of()));
        engine.decide("all", snapshot, engine.goals(HBasePlanLimits.of(0.2, 1, 1), 0), 0);
    }

    private static ApiResponse explain(HMaster master, String... regions) {
        JsonArray names = new JsonArray();
        List.of(regions).forEach(names::add);
        return new AdminCallDispatcher(master, "bob").of(AdminCall.EXPLAIN_REGIONS, "{\"regions\":" + names + "}");
    }

    /** Where nothing is answered, HBase says only that the answer lacks required fields. */
    @Test
    void whatFailsIsAnswered() {
        ApiResponse answer = new HearthAdminEndpoint().answer(AdminCall.GET_PLANS, "{}");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).contains("Hearth's endpoint failed; the master's log has the reason.");
    }
}
