// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a mover does whose keys a DataNode no longer knows; the DataNode says yes to every request that gets past the handshake. */
class ReplaceBlockMoverTest {

    private static final long LISTEN_MS = 30_000;

    private final DFSClient client = mock(DFSClient.class);
    private final SaslDataTransferClient handshake = mock(SaslDataTransferClient.class);
    private final DataNodeCache cache = new DataNodeCache(() -> 0);
    /** What the next handshakes end with; those after them succeed. */
    private final Deque<IOException> failures = new ArrayDeque<>();

    /** What the DataNode says to a request that got past the handshake. */
    private interface Answer {
        void to(OutputStream asking) throws IOException;
    }

    private volatile Answer answer = asking -> write(Status.SUCCESS, asking);
    private ServerSocket dataNode;
    private ReplaceBlockMover mover;
    private BlockMove move;

    @BeforeEach
    void start() throws Exception {
        dataNode = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread answering = new Thread(this::answer);
        answering.setDaemon(true);
        answering.start();
        when(client.getSaslDataTransferClient()).thenReturn(handshake);
        DataEncryptionKey key = new DataEncryptionKey(7, "BP-1", new byte[8], new byte[8], Long.MAX_VALUE, null);
        when(client.newDataEncryptionKey()).thenReturn(key);
        when(client.getEncryptionKey()).thenReturn(key);
        when(handshake.socketSend(any(), any(), any(), any(), any(), any())).thenAnswer(call -> {
            DataEncryptionKeyFactory keys = call.getArgument(3);
            keys.newDataEncryptionKey();
            if (!failures.isEmpty()) {
                throw failures.remove();
            }
            return new IOStreamPair(call.getArgument(2), call.getArgument(1));
        });
        DistributedFileSystem fs = mock(DistributedFileSystem.class);
        when(fs.getClient()).thenReturn(client);
        Configuration conf = new Configuration(false);
        mover = new ReplaceBlockMover(
                client,
                new BlockTokens(fs, conf),
                new RouterCheck(URI.create("hdfs://cluster"), () -> {}, System::nanoTime),
                cache,
                new AskedAllowance(cache, info -> 0L, info -> OptionalInt.empty(), Runnable::run, conf, () -> 0),
                conf);
        DataNode target = met("target", dataNode.getLocalPort());
        DataNode source = met("source", 9);
        move = new BlockMove(
                new EncodedRegionName("r"),
                "/hbase/f",
                new BlockId("BP-1", 7, 1_001),
                10,
                StorageType.DISK,
                source,
                List.of(source),
                target,
                3,
                2);
    }

    @AfterEach
    void stop() throws IOException {
        dataNode.close();
    }

    private void answer() {
        while (true) {
            try (Socket socket = dataNode.accept()) {
                answer.to(socket.getOutputStream());
                socket.getInputStream().readAllBytes();
            } catch (IOException ended) {
                if (dataNode.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void write(Status status, OutputStream asking) throws IOException {
        BlockOpResponseProto.newBuilder().setStatus(status).build().writeDelimitedTo(asking);
    }

    private DataNode met(String name, int port) {
        return cache.note(
                new DatanodeInfo.DatanodeInfoBuilder()
                        .setNodeID(new DatanodeID("127.0.0.1", name, "uuid-" + name, port, 9864, 9865, 9867))
                        .setNetworkLocation("/rack")
                        .build(),
                "/f");
    }

    @Test
    void whereTheKeyOfEncryptedTransferIsOldANewOneIsAskedForAndTheMoveIsMade() throws IOException {
        failures.add(new InvalidEncryptionKeyException("Can't re-compute encryption key for nonce"));

        assertThat(mover.move(move, move.source(), LISTEN_MS)).isEqualTo(MoveResult.of(Response.COPIED));
        verify(client).clearDataEncryptionKey();
        verify(handshake, times(2)).socketSend(any(), any(), any(), any(), any(), any());
    }

    /** Broken (whoever fails forgets the key): of many moves each throws away the key that another has just fetched. */
    @Test
    void aKeyThatAnotherMoveHasRenewedAlreadyIsKept() throws IOException {
        failures.add(new InvalidEncryptionKeyException("Can't re-compute encryption key for nonce"));
        DataEncryptionKey renewed = new DataEncryptionKey(8, "BP-1", new byte[8], new byte[8], Long.MAX_VALUE, null);
        when(client.getEncryptionKey()).thenReturn(renewed);

        assertThat(mover.move(move, move.source(), LISTEN_MS)).isEqualTo(MoveResult.of(Response.COPIED));
        verify(client, never()).clearDataEncryptionKey();
    }

    @Test
    void aDataNodeThatKnowsNoKeyIsAskedTwice() throws IOException {
        for (int attempt = 0; attempt < 5; attempt++) {
            failures.add(new InvalidEncryptionKeyException("Can't re-compute encryption key for nonce"));
        }

        assertThat(mover.move(move, move.source(), LISTEN_MS).response()).isEqualTo(Response.FAILED);
        verify(client).clearDataEncryptionKey();
        verify(handshake, times(2)).socketSend(any(), any(), any(), any(), any(), any());
    }

    @Test
    void withoutTokensARefusedOneIsNotTriedAgain() throws IOException {
        failures.add(new InvalidBlockTokenException("Got access token error"));

        assertThat(mover.move(move, move.source(), LISTEN_MS).response()).isEqualTo(Response.NOT_PERMITTED);
        verify(client, never()).clearDataEncryptionKey();
        verify(handshake).socketSend(any(), any(), any(), any(), any(), any());
    }

    /** Broken (an answer has no limit): the DataNode decides how much memory of the HMaster a move takes. */
    @Test
    void anAnswerOfMoreThanAMegabyteIsCut() {
        answer = asking -> BlockOpResponseProto.newBuilder()
                .setStatus(Status.SUCCESS)
                .setMessage("x".repeat(2 << 20))
                .build()
                .writeDelimitedTo(asking);

        MoveResult cut = mover.move(move, move.source(), LISTEN_MS);

        assertThat(cut.response()).isEqualTo(Response.FAILED);
        // In Hadoop 3.2 it is protobuf's exception, with the same message.
        assertThat(cut.detail()).endsWith("Exception: the DataNode answers more than 1048576 bytes");
    }

    /** Broken (each read has the whole time for itself): who says again and again that it is still at it holds a thread for ever. */
    @Test
    void aDataNodeThatIsAtItForEverIsLeftWhenTheTimeOfTheMoveIsOver() {
        answer = asking -> {
            while (true) {
                write(Status.IN_PROGRESS, asking);
            }
        };

        assertThat(CompletableFuture.supplyAsync(() -> mover.move(move, move.source(), 3_000)))
                .succeedsWithin(Duration.ofSeconds(30))
                .extracting(MoveResult::response)
                .isEqualTo(Response.TIMED_OUT);
    }
}
