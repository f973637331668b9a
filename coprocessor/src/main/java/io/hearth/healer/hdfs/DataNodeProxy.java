// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Proxies for questions to a DataNode's IPC port, each of which is answered in {@value #ANSWER_MS} ms or fails. Stateless. */
public final class DataNodeProxy {

    private static final int ANSWER_MS = 5_000;

    private DataNodeProxy() {}

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
}
