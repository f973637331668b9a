package io.hearth.healing.hdfs;

import java.io.Closeable;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataEncryptionKeyFactory;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.balancer.KeyManager;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens that DataNodes ask for. Without block access tokens in the cluster any will do. With
 * {@code dfs.block.access.token.enable} they are made from the NameNode's block keys, which only an HDFS superuser gets; the
 * keys are asked for when the first move is about to be planned, and again some seconds after a refusal. Thread-safe.
 */
final class MoveTokens implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(MoveTokens.class);
    private static final long ASK_AGAIN_NANOS = 10_000_000_000L;

    private final DistributedFileSystem fs;
    private final Configuration conf;
    private final boolean needed;
    private final UserGroupInformation user;
    private KeyManager keys;
    private Optional<String> missing = Optional.empty();
    private long askedNanos;

    /** Asks as the user that this is called as. */
    MoveTokens(DistributedFileSystem fs, Configuration conf) throws IOException {
        this.user = UserGroupInformation.getCurrentUser();
        this.fs = fs;
        this.conf = conf;
        this.needed = conf.getBoolean(
                DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT);
    }

    /** Why there are no tokens; empty where there are, or where none are needed. */
    synchronized Optional<String> missing() {
        if (!needed || keys != null) {
            return Optional.empty();
        }
        if (missing.isEmpty() || System.nanoTime() - askedNanos > ASK_AGAIN_NANOS) {
            askedNanos = System.nanoTime();
            missing = askForKeys();
        }
        return missing;
    }

    synchronized Token<BlockTokenIdentifier> token(ExtendedBlock block, StorageType type) throws IOException {
        if (!needed) {
            return BlockTokenSecretManager.DUMMY_TOKEN;
        }
        if (keys == null) {
            throw new IOException(missing.orElse("the block keys were not asked for"));
        }
        return keys.getAccessToken(block, new StorageType[] {type}, new String[0]);
    }

    /** Keys for encrypted data transfer, which every client gets. */
    DataEncryptionKeyFactory encryptionKeys() {
        return fs.getClient();
    }

    @Override
    public synchronized void close() {
        if (keys != null) {
            keys.close();
            keys = null;
        }
    }

    private Optional<String> askForKeys() {
        try {
            NamenodeProtocol nameNode = user.doAs((PrivilegedExceptionAction<NamenodeProtocol>)
                    () -> NameNodeProxies.createProxy(conf, fs.getUri(), NamenodeProtocol.class)
                            .getProxy());
            String blockPoolId = nameNode.versionRequest().getBlockPoolID();
            KeyManager manager =
                    new KeyManager(blockPoolId, nameNode, fs.getServerDefaults().getEncryptDataTransfer(), conf);
            manager.startBlockKeyUpdater();
            keys = manager;
            LOG.info("Got the block keys of {} from the NameNode.", blockPoolId);
            return Optional.empty();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Optional.of("healing is stopping");
        } catch (IOException | RuntimeException refusal) {
            return Optional.of("dfs.block.access.token.enable is true and the NameNode does not give its block keys ("
                    + "getBlockKeys: " + NameNodeAnswers.firstLine(refusal) + "). Add " + user.getShortUserName()
                    + " to dfs.permissions.superusergroup of the NameNode, or set hearth.healer.kerberos.principal and"
                    + " hearth.healer.keytab.file to a principal that is in it.");
        }
    }
}
