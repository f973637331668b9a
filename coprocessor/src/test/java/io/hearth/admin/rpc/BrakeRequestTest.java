// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.ui.hbase.ApiResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrakeRequestTest {

    private static final long NOW_MS = 5;

    private final Configuration master = new Configuration(false);

    @BeforeEach
    void mayBrake() {
        master.set("hearth.slo.brake", "true");
    }

    private ApiResponse ask(String json, long nowMs) {
        return BrakeRequest.answer(JsonParser.parseString(json).getAsJsonObject(), master, "bob", nowMs);
    }

    private static String brake(String instance, int seconds) {
        return "{\"instance\":\"" + instance + "\",\"reason\":\"gets\",\"leaseSeconds\":" + seconds + "}";
    }

    private boolean isBraked(long nowMs) {
        return MasterComponentRegistry.brake(master, nowMs).isPresent();
    }

    @Test
    void aLeaseBrakesThisMasterUntilItEndsOrIsReleased() {
        assertThat(ask(brake("ops1", 60), NOW_MS))
                .isEqualTo(ApiResponse.json(
                        200,
                        "{\"braked\":true,\"done\":\"Healing and balancing rest: the SLO watch brakes: ops1"
                                + " (gets).\",\"why\":\"the SLO watch brakes: ops1 (gets)\"}"));
        assertThat(isBraked(NOW_MS + 59_999)).isTrue();
        assertThat(MasterComponentRegistry.brake(new Configuration(master), NOW_MS))
                .as("the next master, or another one of this JVM")
                .isEmpty();
        assertThat(isBraked(NOW_MS + 60_000)).isFalse();

        ask(brake("ops1", 60), NOW_MS);
        ask(brake("ops2", 60), NOW_MS);
        assertThat(ask(brake("ops1", 0), NOW_MS).body())
                .isEqualTo("{\"braked\":true,\"done\":\"Healing and balancing rest: the SLO watch brakes: ops2"
                        + " (gets).\",\"why\":\"the SLO watch brakes: ops2 (gets)\"}");
        assertThat(ask(brake("ops2", 0), NOW_MS).body())
                .isEqualTo("{\"braked\":false,\"done\":\"Nothing is braked.\"}");
        assertThat(isBraked(NOW_MS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "perhaps"})
    void withoutTheKeyNothingIsBrakedAndThatIsSaid(String value) {
        ask(brake("ops1", 60), NOW_MS);
        master.set("hearth.slo.brake", value);

        assertThat(isBraked(NOW_MS)).as("it ends at once").isFalse();
        assertThat(ask(brake("ops1", 60), NOW_MS))
                .isEqualTo(ApiResponse.json(
                        200, "{\"braked\":false,\"done\":\"hearth.slo.brake is not on: nothing is braked.\"}"));
    }

    @Test
    void aLeaseThatIsTooLongIsRefused() {
        assertThat(ask(brake("ops1", 61), NOW_MS))
                .isEqualTo(ApiResponse.problem(
                        400, "leaseSeconds must be 0 to 60 and is 61. Renew the lease before it ends."));
        assertThat(isBraked(NOW_MS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"instance\":\"a\",\"reason\":\"b\"}",
                "{\"instance\":\"a\",\"leaseSeconds\":5}",
                "{\"instance\":1,\"reason\":\"b\",\"leaseSeconds\":5}",
                "{\"instance\":\"a\",\"reason\":[],\"leaseSeconds\":5}",
                "{\"instance\":\"a\",\"reason\":\"b\",\"leaseSeconds\":\"5\"}",
                "{\"instance\":\"a\",\"reason\":\"b\",\"leaseSeconds\":1.5}",
                "{\"instance\":\"a\",\"reason\":\"b\",\"leaseSeconds\":1e99}"
            })
    void whatLacksAFieldIsRefused(String json) {
        assertThat(ask(json, NOW_MS))
                .isEqualTo(ApiResponse.problem(
                        400, "brake needs instance and reason, both texts, and leaseSeconds, a whole number."));
        assertThat(isBraked(NOW_MS)).isFalse();
    }
}
