// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks each NameNode of a name service for the status of its root folder, by a proxy of its own that tries once. One that stands by and
 * says so has answered. Thread-safe.
 */
final class NameNodeProbes {

    private final Map<String, ClientProtocol> proxyByTarget;
    private final ProbeThreads threads;
    private final Duration limit;
    private final UnaryOperator<ProbeThreads.BlockingProbe> asUser;

    private NameNodeProbes(
            Map<String, ClientProtocol> proxyByTarget,
            ProbeThreads threads,
            Duration limit,
            UnaryOperator<ProbeThreads.BlockingProbe> asUser) {
        this.proxyByTarget = proxyByTarget;
        this.threads = threads;
        this.limit = limit;
        this.asUser = asUser;
    }

    /**
     * Probes of every NameNode that the configuration has for this file system; none is asked yet.
     *
     * @param user whom they see
     * @param asUser has a probe run as that user
     */
    static NameNodeProbes of(
            Configuration site,
            URI fileSystem,
            UserGroupInformation user,
            ProbeThreads threads,
            Duration limit,
            UnaryOperator<ProbeThreads.BlockingProbe> asUser)
            throws IOException {
        Configuration conf = new Configuration(site);
        int ms = Math.toIntExact(limit.toMillis());
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
        conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, ms);
        conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, ms);
        Map<String, ClientProtocol> proxies = new HashMap<>();
        for (InetSocketAddress address : addresses(conf, fileSystem)) {
            proxies.put(
                    address.getHostName() + ":" + address.getPort(),
                    NameNodeProxies.createNonHAProxy(conf, address, ClientProtocol.class, user, false)
                            .getProxy());
        }
        return new NameNodeProbes(proxies, threads, limit, asUser);
    }

    private static Collection<InetSocketAddress> addresses(Configuration conf, URI fileSystem) {
        if (!HAUtilClient.isLogicalUri(conf, fileSystem)) {
            return List.of(DFSUtilClient.getNNAddress(fileSystem));
        }
        return DFSUtilClient.getHaNnRpcAddresses(conf)
                .getOrDefault(fileSystem.getHost(), Map.of())
                .values();
    }

    Set<String> targets() {
        return proxyByTarget.keySet();
    }

    CompletableFuture<Answer> ask(String target) {
        ClientProtocol proxy = Objects.requireNonNull(proxyByTarget.get(target));
        return threads.run(asUser.apply(() -> ask(proxy)), limit);
    }

    private static Answer ask(ClientProtocol proxy) throws IOException {
        try {
            return proxy.getFileInfo("/") == null ? Answer.WRONG : Answer.RIGHT;
        } catch (RemoteException answered) {
            if (answered.unwrapRemoteException() instanceof StandbyException) {
                return Answer.RIGHT;
            }
            throw answered;
        }
    }

    void close() {
        proxyByTarget.values().forEach(RPC::stopProxy);
    }
}
