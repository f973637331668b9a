// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover;
import io.hearth.healer.move.BlockMover.MoveResult;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
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
 * from the proxy, and tells the NameNode which DataNode's replica may go. The source is a hint to the NameNode, no more.
 * A DataNode that does not know our keys is asked once more with new ones. Thread-safe; each attempt is one connection.
 */
final class ReplaceBlockMover implements BlockMover {

    /** A DataNode's answer is a status and a sentence. */
    private static final int MAX_RESPONSE_BYTES = 1 << 20;

    private static final int BUFFER_BYTES = 4096;

    /** A DataNode says that it is still at it every half of its own dfs.client.socket-timeout, but connects at once. */
    private static final long MAX_CONNECT_MS = 10_000;

    private final DFSClient client;
    private final BlockTokens tokens;
    private final RouterCheck routerCheck;
    private final DataNodeCache cache;
    private final AskedAllowance allowance;
    private final Configuration conf;
    private final boolean byHostname;

    /** @param allowance is told how many moves a DataNode takes part in that refuses one more */
    ReplaceBlockMover(
            DFSClient client,
            BlockTokens tokens,
            RouterCheck routerCheck,
            DataNodeCache cache,
            AskedAllowance allowance,
            Configuration conf) {
        this.client = client;
        this.tokens = tokens;
        this.routerCheck = routerCheck;
        this.cache = cache;
        this.allowance = allowance;
        this.conf = conf;
        this.byHostname = DataNodeProxy.byHostname(conf);
    }

    @Override
    public Optional<String> missingPrivilege() {
        return routerCheck.refusal().or(tokens::missing);
    }

    @Override
    public boolean isReady() {
        return routerCheck.refusal().isPresent() || routerCheck.isAnswered();
    }

    @Override
    public MoveResult move(BlockMove move, DataNode proxy, long listenMs) {
        Optional<DatanodeInfo> target = cache.info(move.target());
        Optional<DatanodeInfo> from = cache.info(proxy);
        if (target.isEmpty() || from.isEmpty()) {
            return new MoveResult(Response.FAILED, "the NameNode has not mentioned " + move.target() + " or " + proxy);
        }
        long deadlineNanos = System.nanoTime() + listenMs * 1_000_000;
        EnumSet<ReplaceBlockErrors.StaleKey> renewed = EnumSet.noneOf(ReplaceBlockErrors.StaleKey.class);
        while (true) {
            Call call = null;
            try {
                call = new Call(move, target.get(), from.get(), tokens.credentials(), deadlineNanos);
                call.run();
                return MoveResult.of(Response.COPIED);
            } catch (IOException | RuntimeException failure) {
                Optional<ReplaceBlockErrors.StaleKey> stale = ReplaceBlockErrors.stale(failure);
                if (call == null || stale.isEmpty() || !renewed.add(stale.get()) || !call.renew(stale.get())) {
                    return refusalNoted(
                            ReplaceBlockErrors.of(failure, call != null && call.asked, tokens.needed()), move, proxy);
                }
            }
        }
    }

    private MoveResult refusalNoted(MoveResult result, BlockMove move, DataNode proxy) {
        switch (result.response()) {
            case BUSY -> allowance.refused(move.target(), result.detail());
            case PROXY_BUSY -> allowance.refused(proxy, result.detail());
            default -> {}
        }
        return result;
    }

    /** One {@code replaceBlock}, from the connection to the last answer. */
    private final class Call {

        private final BlockMove move;
        private final DatanodeInfo target;
        private final DatanodeInfo proxy;
        private final BlockTokens.Credentials credentials;
        private final long deadlineNanos;
        private boolean asked;

        private Call(
                BlockMove move,
                DatanodeInfo target,
                DatanodeInfo proxy,
                BlockTokens.Credentials credentials,
                long deadlineNanos) {
            this.move = move;
            this.target = target;
            this.proxy = proxy;
            this.credentials = credentials;
            this.deadlineNanos = deadlineNanos;
        }

        /** Whether another attempt could end otherwise: nothing is under way after a refusal. */
        private boolean renew(ReplaceBlockErrors.StaleKey stale) {
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
                        Math.min(MAX_CONNECT_MS, remainingMs()));
                socket.setKeepAlive(true);
                socket.setTcpNoDelay(true);
                SocketInputWrapper wrapped = NetUtils.getInputStream(socket, remainingMs());
                BoundedResponseStream input =
                        new BoundedResponseStream(wrapped, () -> wrapped.setTimeout(remainingMs()), MAX_RESPONSE_BYTES);
                IOStreamPair streams = client.getSaslDataTransferClient()
                        .socketSend(
                                socket,
                                NetUtils.getOutputStream(socket, remainingMs()),
                                input,
                                credentials,
                                token,
                                target);
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out, BUFFER_BYTES));
                asked = true;
                new Sender(out)
                        .replaceBlock(block, type, token, move.source().id().uuid(), proxy, null);
                awaitEnd(new DataInputStream(new BufferedInputStream(streams.in, BUFFER_BYTES)), input);
            }
        }

        private void awaitEnd(InputStream in, BoundedResponseStream responses) throws IOException {
            BlockOpResponseProto response = next(in, responses);
            while (response.getStatus() == Status.IN_PROGRESS) {
                response = next(in, responses);
            }
            DataTransferProtoUtil.checkBlockOpStatus(response, "replaceBlock " + move.block(), true);
        }

        private BlockOpResponseProto next(InputStream in, BoundedResponseStream responses) throws IOException {
            responses.begin();
            return BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
        }

        private long remainingMs() throws SocketTimeoutException {
            long remainingMs = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (remainingMs <= 0) {
                throw new SocketTimeoutException("no answer from " + target + " in time");
            }
            return remainingMs;
        }
    }

    private static ExtendedBlock extendedBlock(BlockMove move) {
        BlockId block = move.block();
        return new ExtendedBlock(block.poolId(), block.number(), move.lengthBytes(), block.generationStamp());
    }

    /**
     * The answers of a DataNode, each of which has a limit of bytes; every read waits for no longer than what is left of the whole call's time. A socket's own
     * timeout is for one read: with a byte now and then it never ends. One thread's.
     */
    static final class BoundedResponseStream extends FilterInputStream {

        /** Gives a read what is left of the time, or throws where nothing is. */
        @FunctionalInterface
        interface ReadTimeout {
            void renew() throws IOException;
        }

        private final ReadTimeout timeout;
        private final int maxBytes;
        private int left;

        /** @param maxBytes of one answer */
        BoundedResponseStream(InputStream in, ReadTimeout timeout, int maxBytes) {
            super(in);
            this.timeout = timeout;
            this.maxBytes = maxBytes;
            this.left = maxBytes;
        }

        /** The next answer begins. */
        void begin() {
            left = maxBytes;
        }

        @Override
        public int read() throws IOException {
            timeout.renew();
            int one = super.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            timeout.renew();
            int read = super.read(bytes, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int read) throws IOException {
            left -= read;
            if (left < 0) {
                throw new IOException("the DataNode answers more than " + maxBytes + " bytes");
            }
        }
    }
}
