package io.hearth.operate.rpc;

import io.hearth.web.hbase.Answer;

/** Answers what an operator asks of one master. Thread-safe; answers at once. */
interface OperatorDesk {

    /**
     * The answer; there always is one, with its status: a service of HBase's that answers nothing is told to its caller as a message
     * that lacks fields.
     *
     * @param json what is asked for more closely, as a JSON object
     */
    Answer answer(Ask ask, String json);
}
