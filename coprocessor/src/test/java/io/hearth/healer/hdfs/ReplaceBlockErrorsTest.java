// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.hdfs.ReplaceBlockErrors.StaleKey;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplaceBlockErrorsTest {

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(
                        new IOException("Got error, status=ERROR, status message Not able to receive block 7 from"
                                + " /127.0.0.11:4711 because threads quota=50 is exceeded., replaceBlock pool:blk_7_1"),
                        true,
                        Response.BUSY),
                Arguments.of(
                        new IOException(
                                "Got error, status=ERROR, status message opReplaceBlock blk_7_1 received exception"
                                        + " java.io.IOException: Got error, status=ERROR, status message Not able to copy block 7 to"
                                        + " /127.0.0.12:9866 because threads quota=50 is exceeded., reportReceivedBlock"),
                        true,
                        Response.PROXY_BUSY),
                Arguments.of(
                        new IOException("Got error, status=ERROR, status message opReplaceBlock received exception"
                                + " org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException: Block"
                                + " pool:blk_7_1 already exists in state FINALIZED and thus cannot be created."),
                        true,
                        Response.ALREADY_THERE),
                Arguments.of(
                        new IOException("Got error, status=ERROR, status message opReplaceBlock received exception"
                                + " org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException: Block"
                                + " pool:blk_7_1 already exists in state TEMPORARY and thus cannot be created."),
                        true,
                        Response.UNDER_WAY),
                Arguments.of(
                        new IOException("opReplaceBlock received exception org.apache.hadoop.util."
                                + "DiskChecker$DiskOutOfSpaceException: No more available volumes"),
                        true,
                        Response.REFUSED),
                Arguments.of(new InvalidBlockTokenException("Got access token error"), true, Response.FAILED),
                Arguments.of(
                        new InvalidEncryptionKeyException("Can't re-compute encryption key"), false, Response.FAILED),
                Arguments.of(new SocketTimeoutException("no answer in time"), true, Response.TIMED_OUT),
                Arguments.of(new SocketTimeoutException("connect timed out"), false, Response.UNREACHABLE),
                Arguments.of(new ConnectException("Connection refused"), false, Response.UNREACHABLE),
                Arguments.of(new NoRouteToHostException("No route to host"), false, Response.UNREACHABLE),
                Arguments.of(
                        new IOException(
                                "Got error, status=ERROR, status message opReplaceBlock blk_7_1 received exception"
                                        + " java.net.ConnectException: Connection refused, replaceBlock pool:blk_7_1"),
                        true,
                        Response.PROXY_UNREACHABLE),
                Arguments.of(
                        new IOException(
                                "Got error, status=ERROR, status message opReplaceBlock blk_7_1 received exception"
                                        + " org.apache.hadoop.net.ConnectTimeoutException: 60000 millis timeout while waiting for"
                                        + " channel to be ready for connect. ch : java.nio.channels.SocketChannel"),
                        true,
                        Response.PROXY_UNREACHABLE),
                Arguments.of(
                        new IOException(
                                "Got error, status=ERROR, status message opReplaceBlock blk_7_1 received exception"
                                        + " java.io.IOException: replica is gone"),
                        true,
                        Response.FAILED),
                Arguments.of(new EOFException(), true, Response.FAILED));
    }

    @Test
    void aPinnedReplicaIsAskedOfNoOtherProxy() {
        MoveResult result = ReplaceBlockErrors.of(
                new BlockPinningException("Got error, status=ERROR_BLOCK_PINNED, status message blk_7 is pinned"),
                true,
                true);

        assertThat(result.response()).isEqualTo(Response.REFUSED);
        assertThat(result.detail())
                .isEqualTo(
                        "the replica is pinned to a favoured node, and would go if dfs.datanode.block-pinning.enabled"
                                + " were false on the DataNodes: org.apache.hadoop.hdfs.protocol.datatransfer.BlockPinningException:"
                                + " Got error, status=ERROR_BLOCK_PINNED, status message blk_7 is pinned");
    }

    @Test
    void aDataNodeThatChecksTokensWhereWeMakeNoneIsNotAskedAgain() {
        MoveResult result =
                ReplaceBlockErrors.of(new InvalidBlockTokenException("Got access token error"), true, false);

        assertThat(result.response()).isEqualTo(Response.NOT_PERMITTED);
        assertThat(result.detail())
                .isEqualTo(
                        "DataNodes check block tokens, and dfs.block.access.token.enable is not true in the"
                                + " configuration that healing has; set it there as on the NameNode:"
                                + " org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException: Got access token error");
    }

    static Stream<Arguments> staleKeys() {
        return Stream.of(
                Arguments.of(new InvalidBlockTokenException("Got access token error"), StaleKey.BLOCK_TOKEN),
                // What the target says of the proxy.
                Arguments.of(
                        new IOException(
                                "Got error, status=ERROR, status message opReplaceBlock BP-1:blk_7_1 received"
                                        + " exception org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException:"
                                        + " Got access token error, status message , copy block BP-1:blk_7_1 from /127.0.0.12:9866"),
                        StaleKey.BLOCK_TOKEN),
                // A handshake with protected transfer, where the DataNode gives no more than the reason.
                Arguments.of(
                        new IOException("Can't re-compute password for block_token_identifier (expiryDate=1, keyId=2),"
                                + " since the required block key (keyID=2) doesn't exist."),
                        StaleKey.BLOCK_TOKEN),
                Arguments.of(new InvalidEncryptionKeyException("key 7 is unknown"), StaleKey.ENCRYPTION_KEY));
    }

    @ParameterizedTest
    @MethodSource("staleKeys")
    void whatADataNodeDoesNotKnowAnyMoreIsToldFromOtherFailures(IOException failure, StaleKey stale) {
        assertThat(ReplaceBlockErrors.stale(failure)).contains(stale);
        assertThat(ReplaceBlockErrors.of(failure, true, true).response()).isEqualTo(Response.FAILED);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theTextTellsTheWaysApart(Exception failure, boolean asked, Response response) {
        MoveResult result = ReplaceBlockErrors.of(failure, asked, true);

        assertThat(result.response()).isEqualTo(response);
        assertThat(result.detail())
                .doesNotContain("\n")
                .contains(failure.getClass().getName())
                .satisfies(detail -> assertThat(detail.startsWith("the target has no volume of that storage type with"
                                + " room for a block of its own dfs.blocksize; free space there: "))
                        .isEqualTo(response == Response.REFUSED));
    }
}
