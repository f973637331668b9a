package io.hearth.operate.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.hearth.web.hbase.Answer;
import org.apache.hadoop.hbase.master.HMaster;
import org.junit.jupiter.api.Test;

class OperatorAnswersTest {

    private static Answer ask(Ask ask, String json) {
        return new OperatorAnswers(mock(HMaster.class), "bob").of(ask, json);
    }

    @Test
    void aRequestThatIsTooLargeIsNotParsed() {
        String large = "{\"moves\":[" + " ".repeat(OperatorAnswers.MOST_CHARACTERS) + "]}";

        Answer answer = ask(Ask.CARRY_OUT, large);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body())
                .isEqualTo("{\"problem\":\"A request may have 1048576 characters and this one has " + large.length()
                        + ". Ask in several.\"}");
    }

    @Test
    void aFieldThatCannotBeReadIsNamed() {
        for (String wrong : new String[] {"\"abc\"", "[]", "{}", "null"}) {
            Answer answer = ask(Ask.PLANS, "{\"sinceMs\":" + wrong + "}");

            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.body())
                    .startsWith("{\"problem\":\"sinceMs must be a whole number of milliseconds since 1970, and is ");
        }
        assertThat(ask(Ask.PLANS, "no json").status()).isEqualTo(400);
    }

    /** Where nothing is answered, HBase says only that the answer lacks required fields. */
    @Test
    void whatFailsIsAnswered() {
        Answer answer = new OperatorEndpoint().answer(Ask.PLANS, "{}");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).contains("Hearth's endpoint failed; the master's log has the reason.");
    }
}
