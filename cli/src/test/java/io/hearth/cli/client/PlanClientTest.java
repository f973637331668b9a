// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.cli.client.PlanClient.NoPlanException;
import io.hearth.cli.client.PlanClient.PlanResult;
import io.hearth.ui.hbase.ApiResponse;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.junit.jupiter.api.Test;

class PlanClientTest {

    @Test
    void whyTheMasterHasNoPlanIsTheLine() {
        String why = "No plan is made for t: planning failed, as the master's log says";

        assertThatThrownBy(() -> PlanClient.byMaster(ApiResponse.problem(ApiResponse.UNAVAILABLE, why)))
                .isInstanceOf(NoPlanException.class)
                .hasMessage(why);
    }

    @Test
    void whatTheMasterPlansIsTakenWithWhatItDoesNotPlan() throws Exception {
        assertThat(byMaster("{\"balancer\":false,\"plans\":[]}")).isEmpty();
        assertThat(byMaster("{\"balancer\":true,\"plans\":[]}"))
                .contains(new PlanResult(new JsonArray(), true, Optional.empty()));
        assertThat(byMaster("{\"balancer\":true,\"plans\":[],\"notPlanned\":\"No plan is made for t: no time\"}"))
                .contains(new PlanResult(new JsonArray(), true, Optional.of("No plan is made for t: no time")));
    }

    private static Optional<PlanResult> byMaster(String json) throws NoPlanException {
        return PlanClient.byMaster(ApiResponse.json(ApiResponse.OK, json));
    }
}
