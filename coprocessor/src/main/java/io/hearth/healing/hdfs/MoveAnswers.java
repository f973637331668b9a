package io.hearth.healing.hdfs;

import io.hearth.healing.execute.MoveResult;
import io.hearth.healing.execute.MoveResult.Answer;
import java.net.SocketTimeoutException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;

/**
 * Tells the ways apart in which a {@code replaceBlock} fails. DataNodes answer with a text, so the text is what there is to go
 * by ({@code DataXceiver.replaceBlock}).
 */
final class MoveAnswers {

    private static final String NO_ROOM =
            "the target has no volume of that storage type with room for a block of its own dfs.blocksize; free space there: ";

    private MoveAnswers() {}

    /** @param asked whether the request had been sent: a timeout before that leaves nothing under way */
    static MoveResult of(Throwable failure, boolean asked) {
        Answer answer = answer(failure, asked);
        String text = NameNodeAnswers.firstLine(failure);
        return new MoveResult(answer, answer == Answer.REFUSED ? NO_ROOM + text : text);
    }

    private static Answer answer(Throwable failure, boolean asked) {
        String text = String.valueOf(failure.getMessage());
        if (failure instanceof SocketTimeoutException) {
            return asked ? Answer.TIMED_OUT : Answer.FAILED;
        }
        if (failure instanceof InvalidBlockTokenException) {
            return Answer.NOT_PERMITTED;
        }
        if (text.contains("threads quota")) {
            return Answer.BUSY;
        }
        if (text.contains("ReplicaAlreadyExistsException")) {
            return Answer.ALREADY_THERE;
        }
        if (text.contains("No more available volumes") || text.contains("DiskOutOfSpaceException")) {
            return Answer.REFUSED;
        }
        return Answer.FAILED;
    }
}
