// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;

/**
 * Tells the ways apart in which a {@code replaceBlock} fails. DataNodes answer with a text, so the text is what there is to go
 * by ({@code DataXceiver.replaceBlock}).
 */
final class ReplaceBlockErrors {

    private static final String NO_ROOM =
            "the target has no volume of that storage type with room for a block of its own dfs.blocksize; free space there: ";

    private static final String PINNED =
            "the replica is pinned to a favoured node, and would go if dfs.datanode.block-pinning.enabled were false on the DataNodes: ";

    private static final String NO_TOKEN =
            "DataNodes check block tokens, and dfs.block.access.token.enable is not true in the configuration that healing"
                    + " has; set it there as on the NameNode: ";

    private static final Pattern NOT_CONNECTED =
            Pattern.compile("ConnectException|NoRouteToHostException|waiting for channel to be ready for connect");

    /** A key of the healer's that a DataNode may no longer accept, since the NameNode that made it has restarted or replaced it. */
    enum StaleKey {
        BLOCK_TOKEN,
        ENCRYPTION_KEY
    }

    private ReplaceBlockErrors() {}

    /** The key of the healer's that the DataNode, or its proxy, no longer accepts; empty for another failure. Nothing was copied then. */
    static Optional<StaleKey> stale(Throwable failure) {
        if (failure instanceof InvalidEncryptionKeyException) {
            return Optional.of(StaleKey.ENCRYPTION_KEY);
        }
        String text = String.valueOf(failure.getMessage());
        // The target passes on what the proxy has answered; the handshake of Hadoop before 3.3.1 gives the reason
        // alone.
        return failure instanceof InvalidBlockTokenException
                        || text.contains("InvalidBlockTokenException")
                        || text.contains("Got access token error")
                        || text.contains("Can't re-compute password for block_token_identifier")
                ? Optional.of(StaleKey.BLOCK_TOKEN)
                : Optional.empty();
    }

    /**
     * The result of an attempt that failed.
     *
     * @param asked whether the request had been sent: a timeout before that leaves nothing under way
     * @param hasTokens whether the tokens were made from the NameNode's keys: then a refusal is over once the DataNode has the
     *     keys, which it gets with a heartbeat, or once we have them
     */
    static MoveResult of(Throwable failure, boolean asked, boolean hasTokens) {
        Response response = response(failure, asked);
        String text = NameNodeCalls.firstLine(failure);
        if (stale(failure).filter(StaleKey.BLOCK_TOKEN::equals).isPresent()) {
            return hasTokens
                    ? new MoveResult(Response.FAILED, text)
                    : new MoveResult(Response.NOT_PERMITTED, NO_TOKEN + text);
        }
        if (response == Response.REFUSED) {
            return new MoveResult(response, (failure instanceof BlockPinningException ? PINNED : NO_ROOM) + text);
        }
        return new MoveResult(response, text);
    }

    private static Response response(Throwable failure, boolean asked) {
        String text = String.valueOf(failure.getMessage());
        if (failure instanceof SocketTimeoutException) {
            return asked ? Response.TIMED_OUT : Response.UNREACHABLE;
        }
        if (!asked && (failure instanceof ConnectException || failure instanceof NoRouteToHostException)) {
            return Response.UNREACHABLE;
        }
        if (failure instanceof BlockPinningException) {
            // Not to be asked of another proxy: one whose replica is not pinned would copy it, and the pinned one would
            // be deleted.
            return Response.REFUSED;
        }
        if (text.contains("threads quota")) {
            // The target passes on what the proxy has answered (DataXceiver.copyBlock).
            return text.contains("Not able to copy block") ? Response.PROXY_BUSY : Response.BUSY;
        }
        if (text.contains("ReplicaAlreadyExistsException")) {
            // In every other state somebody is about to write it, perhaps an earlier call of ours.
            return text.contains("in state FINALIZED") ? Response.ALREADY_THERE : Response.UNDER_WAY;
        }
        if (text.contains("No more available volumes") || text.contains("DiskOutOfSpaceException")) {
            return Response.REFUSED;
        }
        // The target passes on why it could not connect to the proxy.
        return asked && NOT_CONNECTED.matcher(text).find() ? Response.PROXY_UNREACHABLE : Response.FAILED;
    }
}
