// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.hearth.ui.hbase.ApiResponse;
import org.apache.hadoop.hbase.master.HMaster;
import org.junit.jupiter.api.Test;

class AdminCallDispatcherTest {

    private static ApiResponse ask(AdminCall ask, String json) {
        return new AdminCallDispatcher(mock(HMaster.class), "bob").of(ask, json);
    }

    @Test
    void aRequestThatIsTooLargeIsNotParsed() {
        String large = "{\"moves\":[" + " ".repeat(AdminCallDispatcher.MAX_CHARACTERS) + "]}";

        ApiResponse answer = ask(AdminCall.ANNOUNCE_MOVES, large);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body())
                .isEqualTo("{\"problem\":\"A request may have 1048576 characters and this one has " + large.length()
                        + ". Ask in several.\"}");
    }

    @Test
    void aFieldThatCannotBeReadIsNamed() {
        for (String wrong : new String[] {"\"abc\"", "[]", "{}", "null"}) {
            ApiResponse answer = ask(AdminCall.GET_PLANS, "{\"sinceMs\":" + wrong + "}");

            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.body())
                    .startsWith("{\"problem\":\"sinceMs must be a whole number of milliseconds since 1970, and is ");
        }
        assertThat(ask(AdminCall.GET_PLANS, "no json").status()).isEqualTo(400);
    }

    /** Where nothing is answered, HBase says only that the answer lacks required fields. */
    @Test
    void whatFailsIsAnswered() {
        ApiResponse answer = new HearthAdminEndpoint().answer(AdminCall.GET_PLANS, "{}");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).contains("Hearth's endpoint failed; the master's log has the reason.");
    }
}
