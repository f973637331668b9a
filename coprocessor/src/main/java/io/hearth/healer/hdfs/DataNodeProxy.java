// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationTaskStatus;
import org.apache.hadoop.conf.ReconfigurationUtil.PropertyChange;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Proxies for questions to a DataNode's IPC port, each of which is answered in {@value #ANSWER_MS} ms or fails. Stateless. */
public final class DataNodeProxy {

    private static final int ANSWER_MS = 5_000;

    private DataNodeProxy() {}

    /** Asks one DataNode one thing. */
    @FunctionalInterface
    interface Question<A> {
        A ask(DatanodeInfo node) throws IOException;
    }

    /** The call of a DataNode by which a question is answered. */
    @FunctionalInterface
    interface Call<A> {
        A of(ClientDatanodeProtocol node) throws IOException;
    }

    /** A question that is put as the user that this is called as, each time by a proxy of its own. Thread-safe, as the call is. */
    static <A> Question<A> question(Configuration conf, Call<A> call) throws IOException {
        UserGroupInformation user = UserGroupInformation.getCurrentUser();
        boolean byHostname = byHostname(conf);
        return node -> {
            ClientDatanodeProtocol asked = to(NetUtils.createSocketAddr(node.getIpcAddr(byHostname)), user, conf);
            try {
                return call.of(asked);
            } finally {
                RPC.stopProxy(asked);
            }
        };
    }

    /** Whether a DataNode is reached by its name, where its address is not routed to here. */
    static boolean byHostname(Configuration conf) {
        return conf.getBoolean(
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
                HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    }

    /** A proxy, to be stopped by {@code RPC.stopProxy}; nobody is asked yet. */
    public static ClientDatanodeProtocol to(InetSocketAddress address, UserGroupInformation user, Configuration conf)
            throws IOException {
        Configuration quick = new Configuration(conf);
        quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, ANSWER_MS);
        quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
        quick.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
        quick.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, ANSWER_MS);
        return DFSUtilClient.createClientDatanodeProtocolProxy(
                address, user, quick, NetUtils.getDefaultSocketFactory(quick));
    }

    /**
     * What a DataNode's last reconfiguration has set this key to; empty where it has not, or none has ended. It tells an HDFS superuser
     * alone, and of no reconfiguration before the last one.
     */
    public static Optional<String> reconfigured(ClientDatanodeProtocol node, String key) throws IOException {
        ReconfigurationTaskStatus last = node.getReconfigurationStatus();
        Map<PropertyChange, Optional<String>> changes =
                last.stopped() && last.getStatus() != null ? last.getStatus() : Map.of();
        return changes.entrySet().stream()
                .filter(change ->
                        change.getKey().prop.equals(key) && change.getValue().isEmpty())
                .map(change -> String.valueOf(change.getKey().newVal).trim())
                .findFirst();
    }
}
