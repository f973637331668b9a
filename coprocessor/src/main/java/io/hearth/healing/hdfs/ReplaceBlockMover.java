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
import java.util.EnumSet;
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
 * A DataNode that does not know our keys is asked once more with new ones. Thread-safe; each attempt is one connection.
 */
final class ReplaceBlockMover implements BlockMover {

    private static final int BUFFER_BYTES = 4096;

    /** A DataNode says that it is still at it every half of its own dfs.client.socket-timeout, but connects at once. */
    private static final long LONGEST_CONNECT_MS = 10_000;

    private final DFSClient client;
    private final MoveTokens tokens;
    private final RouterCheck routerCheck;
    private final DataNodeBook book;
    private final Configuration conf;
    private final boolean byHostname;

    ReplaceBlockMover(
            DFSClient client, MoveTokens tokens, RouterCheck routerCheck, DataNodeBook book, Configuration conf) {
        this.client = client;
        this.tokens = tokens;
        this.routerCheck = routerCheck;
        this.book = book;
        this.conf = conf;
        this.byHostname = conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    }

    @Override
    public Optional<String> missingPrivilege() {
        return routerCheck.refusal().or(tokens::missing);
    }

    @Override
    public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
        Optional<DatanodeInfo> target = book.info(move.target());
        Optional<DatanodeInfo> from = book.info(proxy);
        if (target.isEmpty() || from.isEmpty()) {
            return new MoveResult(Answer.FAILED, "the NameNode has not mentioned " + move.target() + " or " + proxy);
        }
        long deadlineNanos = System.nanoTime() + listenMs * 1_000_000;
        EnumSet<MoveAnswers.Stale> renewed = EnumSet.noneOf(MoveAnswers.Stale.class);
        while (true) {
            Call call = null;
            try {
                call = new Call(move, target.get(), from.get(), tokens.credentials(), deadlineNanos);
                call.run();
                return MoveResult.of(Answer.COPIED);
            } catch (IOException | RuntimeException failure) {
                Optional<MoveAnswers.Stale> stale = MoveAnswers.stale(failure);
                if (call == null || stale.isEmpty() || !renewed.add(stale.get()) || !call.renew(stale.get())) {
                    return MoveAnswers.of(failure, call != null && call.asked, tokens.needed());
                }
            }
        }
    }

    /** One {@code replaceBlock}, from the connection to the last answer. */
    private final class Call {

        private final BlockMove move;
        private final DatanodeInfo target;
        private final DatanodeInfo proxy;
        private final MoveTokens.Credentials credentials;
        private final long deadlineNanos;
        private boolean asked;

        private Call(
                BlockMove move,
                DatanodeInfo target,
                DatanodeInfo proxy,
                MoveTokens.Credentials credentials,
                long deadlineNanos) {
            this.move = move;
            this.target = target;
            this.proxy = proxy;
            this.credentials = credentials;
            this.deadlineNanos = deadlineNanos;
        }

        /** Whether another attempt could end otherwise: nothing is under way after a refusal. */
        private boolean renew(MoveAnswers.Stale stale) {
            return switch (stale) {
                case BLOCK_TOKEN -> credentials.renewToken();
                case ENCRYPTION_KEY -> {
                    credentials.forgetEncryptionKey();
                    yield true;
                }
            };
        }

        private void run() throws IOException {
            ExtendedBlock block = extendedBlock(move);
            StorageType type = StorageType.valueOf(move.storageType().name());
            Token<BlockTokenIdentifier> token = credentials.token(block, type);
            try (Socket socket = NetUtils.getDefaultSocketFactory(conf).createSocket()) {
                NetUtils.connect(socket, NetUtils.createSocketAddr(target.getXferAddr(byHostname)), (int)
                        Math.min(LONGEST_CONNECT_MS, leftMs()));
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                SocketInputWrapper input = NetUtils.getInputStream(socket, leftMs());
                IOStreamPair streams = client.getSaslDataTransferClient()
                        .socketSend(
                                socket, NetUtils.getOutputStream(socket, leftMs()), input, credentials, token, target);
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
