// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.healer.hdfs.DataNodeProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks one DataNode, as the current user, for the limits of block moves that are in force there and that its configuration does not
 * show.
 */
public final class DataNodeRpc implements AutoCloseable {

    private final ClientDatanodeProtocol node;

    private DataNodeRpc(ClientDatanodeProtocol node) {
        this.node = node;
    }

    public static DataNodeRpc to(String address, int port, Configuration conf) throws IOException {
        return new DataNodeRpc(
                DataNodeProxy.to(new InetSocketAddress(address, port), UserGroupInformation.getCurrentUser(), conf));
    }

    /** The bytes per second that block moves may take of it now, as configured or as an HDFS superuser has set it since. */
    public ProbeResult<Long> balanceBytesPerSecond() {
        try {
            return ProbeResult.known(node.getBalancerBandwidth());
        } catch (IOException failure) {
            return ProbeResult.unknown(words(failure));
        }
    }

    /**
     * The limit of block moves at a time that is in force, {@code dfs.datanode.balance.max.concurrent.moves}: what its last
     * reconfiguration has set, else what it was started with. A DataNode does not tell of a reconfiguration before the last one.
     */
    public ProbeResult<Long> balanceMoves(ProbeResult<Long> startedWith) {
        try {
            return DataNodeProxy.reconfigured(node, HadoopKey.BALANCE_MOVES.key())
                    .map(value -> ProbeResult.known(Long.valueOf(value)))
                    .orElse(startedWith);
        } catch (IOException | RuntimeException failure) {
            return ProbeResult.unknown(
                    "whether it was reconfigured since it started only an HDFS superuser is told: " + words(failure));
        }
    }

    @Override
    public void close() {
        RPC.stopProxy(node);
    }

    private static String words(Exception failure) {
        return "the DataNode says: "
                + String.valueOf(failure.getMessage())
                        .lines()
                        .findFirst()
                        .orElse("")
                        .strip();
    }
}
