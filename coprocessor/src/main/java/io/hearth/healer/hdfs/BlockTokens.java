// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.DataEncryptionKey;
import org.apache.hadoop.hdfs.server.balancer.KeyManager;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What DataNodes ask for, block tokens and the keys of encrypted transfer, and how both are renewed when a DataNode does not know
 * them any more. Without block access tokens in the cluster any token will do. With {@code dfs.block.access.token.enable} they are
 * made from the NameNode's {@link BlockKeys}, which only an HDFS superuser gets; those are asked for when the first move is about
 * to be planned, and again some seconds after the NameNode has refused them. Thread-safe.
 */
final class BlockTokens implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BlockTokens.class);
    private static final long ASK_AGAIN_NANOS = 10_000_000_000L;

    private final DistributedFileSystem fs;
    private final DFSClient client;
    private final Configuration conf;
    private final boolean needed;
    private final UserGroupInformation user;
    private Optional<String> missing = Optional.empty();
    private long askedNanos;
    private volatile Optional<BlockKeys> keys = Optional.empty();
    private Optional<NamenodeProtocol> nameNode = Optional.empty();

    /** Asks as the user that this is called as. */
    BlockTokens(DistributedFileSystem fs, Configuration conf) throws IOException {
        this.user = UserGroupInformation.getCurrentUser();
        this.fs = fs;
        this.client = fs.getClient();
        this.conf = conf;
        this.needed = conf.getBoolean(
                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
    }

    /** Whether DataNodes check tokens, by this configuration. */
    boolean needed() {
        return needed;
    }

    /** Why there are no tokens; empty where there are, or where none are needed. */
    synchronized Optional<String> missing() {
        if (!needed || keys.isPresent()) {
            return Optional.empty();
        }
        if (missing.isEmpty() || System.nanoTime() - askedNanos > ASK_AGAIN_NANOS) {
            askedNanos = System.nanoTime();
            missing = askForKeys();
        }
        return missing;
    }

    /** What a single attempt shows to DataNodes. */
    Credentials credentials() throws IOException {
        if (!needed) {
            return new Credentials(Optional.empty());
        }
        BlockKeys some = keys.orElseThrow(() -> new IOException("the block keys were not asked for"));
        return new Credentials(Optional.of(some.current()));
    }

    /** The block keys and the key of encrypted transfer that one attempt uses. Used by one thread. */
    final class Credentials implements DataEncryptionKeyFactory {

        private final Optional<BlockKeys.TokenFactory> tokenFactory;
        private Optional<DataEncryptionKey> encryptionKey = Optional.empty();

        private Credentials(Optional<BlockKeys.TokenFactory> tokenFactory) {
            this.tokenFactory = tokenFactory;
        }

        Token<BlockTokenIdentifier> token(ExtendedBlock block, StorageType type) throws IOException {
            return tokenFactory.isPresent()
                    ? tokenFactory.get().token(block, type)
                    : BlockTokenSecretManager.DUMMY_TOKEN;
        }

        /** The key for encrypted transfer, which every client gets and keeps for hours. */
        @Override
        public @Nullable DataEncryptionKey newDataEncryptionKey() throws IOException {
            encryptionKey = Optional.ofNullable(client.newDataEncryptionKey());
            return encryptionKey.orElse(null);
        }

        /** A DataNode does not know the block key. Returns whether there are others now. */
        boolean renewToken() {
            return tokenFactory.isPresent() && keys.isPresent() && keys.get().renew(tokenFactory.get());
        }

        /** A DataNode does not know the key of encrypted transfer: the next attempt asks for one, as a reader does. */
        void forgetEncryptionKey() {
            // Another move may have got a new one already.
            if (encryptionKey.isPresent() && encryptionKey.get() == client.getEncryptionKey()) {
                client.clearDataEncryptionKey();
            }
        }
    }

    /** The protocol of block keys, spoken as the user that healing is. */
    synchronized NamenodeProtocol nameNode() throws IOException {
        if (nameNode.isEmpty()) {
            try {
                nameNode = Optional.of(user.doAs((PrivilegedExceptionAction<NamenodeProtocol>)
                        () -> NameNodeProxies.createProxy(conf, fs.getUri(), NamenodeProtocol.class)
                                .getProxy()));
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("healing is stopping");
            }
        }
        return nameNode.get();
    }

    @Override
    public synchronized void close() {
        keys = Optional.empty();
        nameNode.ifPresent(RPC::stopProxy);
        nameNode = Optional.empty();
    }

    private Optional<String> askForKeys() {
        try {
            NamenodeProtocol asked = nameNode();
            String blockPoolId = asked.versionRequest().getBlockPoolID();
            keys = Optional.of(new BlockKeys(() -> ask(asked, blockPoolId), () -> System.nanoTime() / 1_000_000));
            LOG.info("Got the block keys of {} from the NameNode.", blockPoolId);
            return Optional.empty();
        } catch (IOException | RuntimeException refusal) {
            return Optional.of("dfs.block.access.token.enable is true and the NameNode does not give its block keys ("
                    + "getBlockKeys: " + NameNodeCalls.firstLine(refusal) + "). Add " + user.getShortUserName()
                    + " to dfs.permissions.superusergroup of the NameNode, or set hearth.healer.kerberos.principal and"
                    + " hearth.healer.keytab.file to a principal that is in it.");
        }
    }

    /** HDFS's own class makes the tokens; its thread, which would ask for keys in its own time, is not started. */
    private BlockKeys.Keys ask(NamenodeProtocol nameNode, String blockPoolId) throws IOException {
        long updateMs = nameNode.getBlockKeys().getKeyUpdateInterval();
        KeyManager manager =
                new KeyManager(blockPoolId, nameNode, fs.getServerDefaults().getEncryptDataTransfer(), conf);
        return new BlockKeys.Keys(
                (block, type) -> manager.getAccessToken(block, new StorageType[] {type}, new String[0]), updateMs);
    }
}
