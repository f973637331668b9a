// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.healer.hdfs.DataNodeProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks one DataNode, as the current user, for the limits of block moves that are in force there and that its configuration does not
 * show. {@link #somaxconn} asks nobody: it reads a file of this host.
 */
public final class DataNodeRpc implements AutoCloseable {

    private static final Path SOMAXCONN = Path.of("/proc/sys/net/core/somaxconn");

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

    /** The kernel's {@code net.core.somaxconn}, read from this host's {@code /proc}; unknown where the DataNode is on another host. */
    public static ProbeResult<Integer> somaxconn(String address) {
        try {
            InetAddress host = InetAddress.getByName(address);
            if (!host.isLoopbackAddress() && NetworkInterface.getByInetAddress(host) == null) {
                return ProbeResult.unknown("net.core.somaxconn can be read on the DataNode's own host alone" + " (cat "
                        + SOMAXCONN + "; Linux 5.4 and later have 4096, before it was 128)");
            }
            try (BufferedReader kernel = Files.newBufferedReader(SOMAXCONN)) {
                // At once: the kernel gives a value to the first read alone, of which Files.readString's has one byte.
                return ProbeResult.known(
                        Integer.valueOf(String.valueOf(kernel.readLine()).trim()));
            }
        } catch (IOException | NumberFormatException notLinux) {
            return ProbeResult.unknown("net.core.somaxconn can't be read here");
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
