package io.hearth.healing.hdfs;

import io.hearth.healing.execute.BlockMover;
import io.hearth.healing.execute.MoveResult;
import io.hearth.healing.execute.MoveResult.Answer;
import io.hearth.healing.model.BlockId;
import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNode;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.net.SocketInputWrapper;
import org.apache.hadoop.security.token.Token;

/**
 * Moves a replica by {@code replaceBlock}, the operation of the HDFS Balancer and Mover: the target is told to copy the block
 * from the proxy, and tells the NameNode which DataNode's replica may go. The giver is a hint to the NameNode, no more.
 * Thread-safe; each move is one connection.
 */
final class ReplaceBlockMover implements BlockMover {

    private static final int BUFFER_BYTES = 4096;

    /** A DataNode says that it is still at it every half of its own dfs.client.socket-timeout, but connects at once. */
    private static final long LONGEST_CONNECT_MS = 10_000;

    private final DFSClient client;
    private final MoveTokens tokens;
    private final DataNodeBook book;
    private final Configuration conf;
    private final boolean byHostname;

    ReplaceBlockMover(DFSClient client, MoveTokens tokens, DataNodeBook book, Configuration conf) {
        this.client = client;
        this.tokens = tokens;
        this.book = book;
        this.conf = conf;
        this.byHostname = conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    }

    @Override
    public Optional<String> missingPrivilege() {
        return tokens.missing();
    }

    @Override
    public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
        Optional<DatanodeInfo> target = book.info(move.target());
        Optional<DatanodeInfo> from = book.info(proxy);
        if (target.isEmpty() || from.isEmpty()) {
            return new MoveResult(Answer.FAILED, "the NameNode has not mentioned " + move.target() + " or " + proxy);
        }
        Call call = new Call(move, target.get(), from.get(), System.nanoTime() + listenMs * 1_000_000);
        try {
            call.run();
            return MoveResult.of(Answer.COPIED);
        } catch (IOException | RuntimeException failure) {
            return MoveAnswers.of(failure, call.asked);
        }
    }

    /** One {@code replaceBlock}, from the connection to the last answer. */
    private final class Call {

        private final BlockMove move;
        private final DatanodeInfo target;
        private final DatanodeInfo proxy;
        private final long deadlineNanos;
        private boolean asked;

        private Call(BlockMove move, DatanodeInfo target, DatanodeInfo proxy, long deadlineNanos) {
            this.move = move;
            this.target = target;
            this.proxy = proxy;
            this.deadlineNanos = deadlineNanos;
        }

        private void run() throws IOException {
            ExtendedBlock block = extendedBlock(move);
            StorageType type = StorageType.valueOf(move.storageType().name());
            Token<BlockTokenIdentifier> token = tokens.token(block, type);
            try (Socket socket = NetUtils.getDefaultSocketFactory(conf).createSocket()) {
                NetUtils.connect(socket, NetUtils.createSocketAddr(target.getXferAddr(byHostname)), (int)
                        Math.min(LONGEST_CONNECT_MS, leftMs()));
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                SocketInputWrapper input = NetUtils.getInputStream(socket, leftMs());
                IOStreamPair streams = client.getSaslDataTransferClient()
                        .socketSend(
                                socket,
                                NetUtils.getOutputStream(socket, leftMs()),
                                input,
                                tokens.encryptionKeys(),
                                token,
                                target);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out, BUFFER_BYTES));
                asked = true;
                new Sender(out)
                        .replaceBlock(block, type, token, move.giver().id().uuid(), proxy, null);
                awaitEnd(new DataInputStream(new BufferedInputStream(streams.in, BUFFER_BYTES)), input);
            }
        }

        private void awaitEnd(InputStream in, SocketInputWrapper socketInput) throws IOException {
            BlockOpResponseProto answer = next(in, socketInput);
            while (answer.getStatus() == Status.IN_PROGRESS) {
                answer = next(in, socketInput);
            }
            DataTransferProtoUtil.checkBlockOpStatus(answer, "replaceBlock " + move.block(), true);
        }

        private BlockOpResponseProto next(InputStream in, SocketInputWrapper socketInput) throws IOException {
            socketInput.setTimeout(leftMs());
            return BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
        }

        private long leftMs() throws SocketTimeoutException {
            long leftMs = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new SocketTimeoutException("no answer from " + target + " in time");
            }
            return leftMs;
        }
    }

    private static ExtendedBlock extendedBlock(BlockMove move) {
        BlockId block = move.block();
        return new ExtendedBlock(block.poolId(), block.number(), move.lengthBytes(), block.generationStamp());
    }
}
