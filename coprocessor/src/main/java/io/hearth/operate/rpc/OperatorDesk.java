package io.hearth.operate.rpc;

import io.hearth.web.hbase.Answer;
import java.io.IOException;

/** Answers what an operator asks of one master. Thread-safe; answers at once. */
interface OperatorDesk {

    /**
     * The answer.
     *
     * @param json what is asked for more closely, as a JSON object
     * @throws IOException if there can be none
     */
    Answer answer(Ask ask, String json) throws IOException;
}
