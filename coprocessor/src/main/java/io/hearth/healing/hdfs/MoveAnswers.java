package io.hearth.healing.hdfs;

import io.hearth.healing.execute.MoveResult;
import io.hearth.healing.execute.MoveResult.Answer;
import java.net.SocketTimeoutException;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;

/**
 * Tells the ways apart in which a {@code replaceBlock} fails. DataNodes answer with a text, so the text is what there is to go
 * by ({@code DataXceiver.replaceBlock}).
 */
final class MoveAnswers {

    private static final String NO_ROOM =
            "the target has no volume of that storage type with room for a block of its own dfs.blocksize; free space there: ";

    private static final String PINNED =
            "the replica is pinned to a favoured node, and would go if dfs.datanode.block-pinning.enabled were false on the DataNodes: ";

    private MoveAnswers() {}

    /** @param asked whether the request had been sent: a timeout before that leaves nothing under way */
    static MoveResult of(Throwable failure, boolean asked) {
        Answer answer = answer(failure, asked);
        String text = NameNodeAnswers.firstLine(failure);
        if (answer == Answer.REFUSED) {
            return new MoveResult(answer, (failure instanceof BlockPinningException ? PINNED : NO_ROOM) + text);
        }
        return new MoveResult(answer, text);
    }

    private static Answer answer(Throwable failure, boolean asked) {
        String text = String.valueOf(failure.getMessage());
        if (failure instanceof SocketTimeoutException) {
            return asked ? Answer.TIMED_OUT : Answer.FAILED;
        }
        if (failure instanceof InvalidBlockTokenException) {
            return Answer.NOT_PERMITTED;
        }
        if (failure instanceof BlockPinningException) {
            // Not to be asked of another proxy: one whose replica is not pinned would copy it, and the pinned one would
            // be deleted.
            return Answer.REFUSED;
        }
        if (text.contains("threads quota")) {
            // The target passes on what the proxy has answered (DataXceiver.copyBlock).
            return text.contains("Not able to copy block") ? Answer.PROXY_BUSY : Answer.BUSY;
        }
        if (text.contains("ReplicaAlreadyExistsException")) {
            // In every other state somebody is about to write it, perhaps an earlier call of ours.
            return text.contains("in state FINALIZED") ? Answer.ALREADY_THERE : Answer.TIMED_OUT;
        }
        if (text.contains("No more available volumes") || text.contains("DiskOutOfSpaceException")) {
            return Answer.REFUSED;
        }
        return Answer.FAILED;
    }
}
