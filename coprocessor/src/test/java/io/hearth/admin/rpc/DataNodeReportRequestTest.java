// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import io.hearth.ui.hbase.ApiResponse;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataNodeReportRequestTest {

    private static final long NOW_MS = 1_000_000;

    private final DataNodeStates states = new DataNodeStates();

    private ApiResponse ask(String json, long nowMs) {
        return DataNodeReportRequest.answer(JsonParser.parseString(json).getAsJsonObject(), Optional.of(states), nowMs);
    }

    private static String report(String instance, int leaseSeconds, String... dataNodes) {
        return "{\"instance\":\"" + instance + "\",\"leaseSeconds\":" + leaseSeconds + ",\"dataNodes\":["
                + String.join(",", dataNodes) + "]}";
    }

    private static String node(String host, String operation, String outcome, long agoMs) {
        return "{\"host\":\"" + host + "\",\"operation\":\"" + operation + "\",\"outcome\":\"" + outcome
                + "\",\"agoMs\":" + agoMs + "}";
    }

    @Test
    void whatTwoWatchesSeeMakesAHostSuspectUntilTheirLeasesAreOver() {
        assertThat(ask(report("west", 60, node("DN1", "write", "FAILED", 500), node("dn2", "read", "GOOD", 0)), NOW_MS))
                .isEqualTo(
                        ApiResponse.json(200, "{\"taken\":2,\"done\":\"2 observations of DataNodes are taken in.\"}"));
        assertThat(states.of("dn1")).as("one client, once").isEqualTo(DataNodeState.HEALTHY);

        ask(report("east", 60, node("dn1", "read", "failed", 0)), NOW_MS);

        assertThat(states.unhealthy())
                .containsExactly(new UnhealthyHost(
                        "dn1",
                        DataNodeState.SUSPECT,
                        NOW_MS,
                        "does not serve reads of probes (seen by the SLO watch east);"
                                + " does not serve writes of probes (seen by the SLO watch west)"));
        states.take(List.of(), NOW_MS + 60_000);
        assertThat(states.of("dn1")).isEqualTo(DataNodeState.PROBING);
    }

    @Test
    void itIsOneObserverBesideOthers() {
        states.take(
                List.of(DataNodeObservation.byHealer("dn1", Outcome.FAILED, "can't be connected to", NOW_MS)), NOW_MS);
        assertThat(states.of("dn1")).isEqualTo(DataNodeState.HEALTHY);

        ask(report("west", 60, node("dn1", "read", "SLOW", 0)), NOW_MS);
        assertThat(states.of("dn1")).as("late once").isEqualTo(DataNodeState.HEALTHY);
        ask(report("west", 60, node("dn1", "read", "SLOW", 0)), NOW_MS + 1);

        assertThat(states.of("dn1")).isEqualTo(DataNodeState.SUSPECT);
    }

    @Test
    void aLeaseOfNothingEndsIt() {
        ask(report("west", 60, node("dn1", "read", "FAILED", 0)), NOW_MS);
        ask(report("west", 0), NOW_MS);
        ask(report("east", 60, node("dn1", "read", "FAILED", 0)), NOW_MS);

        assertThat(states.of("dn1")).isEqualTo(DataNodeState.HEALTHY);
    }

    @Test
    void withoutAHealerNobodyAsks() {
        assertThat(DataNodeReportRequest.answer(
                        JsonParser.parseString(report("west", 60)).getAsJsonObject(), Optional.empty(), 0))
                .isEqualTo(ApiResponse.json(
                        200, "{\"taken\":0,\"done\":\"This HMaster has no healer: nobody asks how DataNodes fare.\"}"));
    }

    @Test
    void moreWatchesThanMayTellAreRefused() {
        for (int watch = 0; watch < 16; watch++) {
            assertThat(ask(report("watch" + watch, 60), NOW_MS).status()).isEqualTo(200);
        }
        assertThat(ask(report("one more", 60), NOW_MS))
                .isEqualTo(ApiResponse.problem(400, "Too many SLO watches tell of DataNodes; one has to end first."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'instance':'a','leaseSeconds':5}",
                "{'instance':' ','leaseSeconds':5,'dataNodes':[]}",
                "{'instance':'a','leaseSeconds':61,'dataNodes':[]}",
                "{'instance':'a','leaseSeconds':-1,'dataNodes':[]}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':{}}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':[1]}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':[{'host':'','operation':'read','outcome':'GOOD','agoMs':1}]}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':[{'host':'h','operation':'scan','outcome':'GOOD','agoMs':1}]}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':[{'host':'h','operation':'read','outcome':'BAD','agoMs':1}]}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':[{'host':'h','operation':'read','outcome':'GOOD','agoMs':-1}]}",
                "{'instance':'a','leaseSeconds':5,'dataNodes':[{'host':'h','operation':'read','outcome':'GOOD','agoMs':300001}]}"
            })
    void whatLacksAFieldIsRefused(String json) {
        assertThat(ask(json.replace('\'', '"'), NOW_MS))
                .isEqualTo(
                        ApiResponse.problem(
                                400,
                                "reportDatanodes needs instance, a text of 1 to 100 characters, leaseSeconds, 0 to 60, and dataNodes,"
                                        + " a list of host, operation (write or read), outcome (GOOD, SLOW or FAILED) and agoMs."));
        assertThat(states.counts().values()).containsOnly(0);
    }
}
