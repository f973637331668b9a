// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.HealerServices.DataNodeProber;
import io.hearth.healer.hdfs.DataNodeProxy.Question;
import io.hearth.healer.model.DataNode;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a DataNode for its version, as the dead-node detection of HDFS's client does, and then connects to the port through which blocks
 * go. The kernel accepts connections for a process that hangs, so that the first question is needed; who may connect to one port need not
 * reach the other. Each has a limit of seconds. A fault of ours, as a Kerberos ticket that is over, says nothing of the DataNode.
 * Thread-safe.
 */
final class DataNodeConnector implements DataNodeProber {

    private static final Logger LOG = LoggerFactory.getLogger(DataNodeConnector.class);
    private static final int CONNECT_MS = 5_000;

    private record Known(DataNode node, boolean serves, long atMs) {}

    private final DataNodeCache cache;
    private final Question<?> version;
    private final Question<?> connection;
    private final Executor threads;
    private final LongSupplier clockMs;
    private final Queue<Known> known = new ConcurrentLinkedQueue<>();

    /**
     * @param version asks what its process alone can answer
     * @param connection connects to the port for data
     * @param threads where answers are waited for
     */
    DataNodeConnector(
            DataNodeCache cache, Question<?> version, Question<?> connection, Executor threads, LongSupplier clockMs) {
        this.cache = cache;
        this.version = version;
        this.connection = connection;
        this.threads = threads;
        this.clockMs = clockMs;
    }

    /** Connects to the port for data; where that begins with a handshake, to none, since a DataNode logs one that is broken off. */
    static Question<Boolean> connection(Configuration conf) {
        boolean beginsWithHandshake = conf.getBoolean(
                        DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY, DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_DEFAULT)
                || !conf.getTrimmed(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "")
                        .isEmpty();
        boolean byHostname = DataNodeProxy.byHostname(conf);
        return node -> {
            if (!beginsWithHandshake) {
                try (Socket socket = NetUtils.getDefaultSocketFactory(conf).createSocket()) {
                    NetUtils.connect(socket, NetUtils.createSocketAddr(node.getXferAddr(byHostname)), CONNECT_MS);
                }
            }
            return true;
        };
    }

    @Override
    public List<Answer> takeAnswers(Collection<DataNode> asked) {
        asked.forEach(node -> cache.info(node).ifPresent(info -> ask(node, info)));
        long nowMs = clockMs.getAsLong();
        List<Answer> taken = new ArrayList<>();
        for (Known one = known.poll(); one != null; one = known.poll()) {
            taken.add(new Answer(one.node(), one.serves(), Math.max(0, nowMs - one.atMs())));
        }
        return taken;
    }

    private void ask(DataNode node, DatanodeInfo info) {
        try {
            threads.execute(
                    () -> serves(info).ifPresent(serves -> known.add(new Known(node, serves, clockMs.getAsLong()))));
        } catch (RejectedExecutionException stopping) {
            // Nobody waits for the answer any more.
        }
    }

    /** The connection that an earlier question has left may have ended with its process: then the question is put once more. */
    private static void ask(Question<?> question, DatanodeInfo info) throws IOException {
        try {
            Object unused = question.ask(info);
        } catch (EOFException ended) {
            Object unused = question.ask(info);
        }
    }

    private Optional<Boolean> serves(DatanodeInfo info) {
        for (Question<?> question : List.of(version, connection)) {
            try {
                ask(question, info);
            } catch (ConnectException | NoRouteToHostException | SocketTimeoutException silent) {
                return Optional.of(false);
            } catch (RemoteException refused) {
                LOG.debug("DataNode {} answers: {}", info, refused.toString());
            } catch (IOException | RuntimeException failure) {
                LOG.debug("DataNode {} could not be asked.", info, failure);
                return Optional.empty();
            }
        }
        return Optional.of(true);
    }
}
