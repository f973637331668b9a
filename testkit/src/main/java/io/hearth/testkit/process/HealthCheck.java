// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState;
import io.hearth.testkit.process.DaemonHealth.Condition;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import io.hearth.testkit.process.system.ProcessTable;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds out how each process of a cluster is: by the system, whether it runs; by what the servers say, whether it serves. It needs
 * no client of HDFS or HBase, and no host name.
 */
final class HealthCheck {

    private final ProcessTable processes;
    private final JmxClient jmx;

    HealthCheck(ProcessTable processes, JmxClient jmx) {
        this.processes = processes;
        this.jmx = jmx;
    }

    /** Every member, in the layout's order. */
    List<DaemonHealth> of(ProcessClusterState state) throws InterruptedException {
        ServerHealthProbe word = ServerHealthProbe.probeAll(running(state).toList(), jmx);
        List<DaemonHealth> all = new ArrayList<>();
        for (Daemon daemon : state.layout().daemons()) {
            all.add(health(daemon, Optional.ofNullable(state.processByDaemon().get(daemon.name())), word));
        }
        return all;
    }

    /** The one with this role, of which there can be several and one is active; absent if none is. */
    Optional<Daemon> active(DaemonRole role, ProcessClusterState state) throws InterruptedException {
        List<Daemon> candidates =
                running(state).filter(daemon -> daemon.role() == role).toList();
        ServerHealthProbe word = ServerHealthProbe.probeAll(candidates, jmx);
        return candidates.stream().filter(word::isActive).findFirst();
    }

    private Stream<Daemon> running(ProcessClusterState state) {
        return state.layout().daemons().stream()
                .filter(daemon ->
                        processState(Optional.ofNullable(state.processByDaemon().get(daemon.name())))
                                == ProcessTable.ProcessState.RUNNING);
    }

    private DaemonHealth health(Daemon daemon, Optional<ProcessId> process, ServerHealthProbe word) {
        return switch (processState(process)) {
            case ENDED -> new DaemonHealth(daemon, process, Condition.DEAD, "");
            case STOPPED -> new DaemonHealth(daemon, process, Condition.FROZEN, "stopped by a signal");
            case RUNNING ->
                new DaemonHealth(
                        daemon,
                        process,
                        word.serves(daemon) ? Condition.SERVING : Condition.NOT_SERVING,
                        word.detail(daemon));
        };
    }

    private ProcessTable.ProcessState processState(Optional<ProcessId> process) {
        return process.map(processes::processState).orElse(ProcessTable.ProcessState.ENDED);
    }

    /**
     * What the servers of a cluster say of themselves and of each other: of DataNodes the NameNode, of RegionServers the active
     * HMaster, by their web pages.
     */
    private static final class ServerHealthProbe {

        private static final int LIMIT_MS = 3_000;
        private static final String MASTER_BEAN = "Hadoop:service=HBase,name=Master,sub=Server";
        private static final String NAMENODE_BEAN = "Hadoop:service=NameNode,name=NameNodeInfo";
        private static final String NAMENODE_STATUS_BEAN = "Hadoop:service=NameNode,name=NameNodeStatus";
        private static final String JOURNALNODE_BEAN = "Hadoop:service=JournalNode,name=JournalNodeInfo";

        /** As the NameNode writes it; so is the next. */
        private static final String ACTIVE = "active";

        private static final String STANDBY = "standby";
        private static final String BACKUP = "backup";
        private static final String SILENT = "does not answer";

        private final Map<Daemon, String> detailByDaemon = new HashMap<>();
        private final Set<String> dataNodeHosts = new HashSet<>();
        private final Set<String> regionServerHosts = new HashSet<>();
        private final JmxClient jmx;

        private ServerHealthProbe(JmxClient jmx) {
            this.jmx = jmx;
        }

        /** Asks each of these, one after the other, a few seconds each at most. */
        static ServerHealthProbe probeAll(List<Daemon> daemons, JmxClient jmx) throws InterruptedException {
            ServerHealthProbe word = new ServerHealthProbe(jmx);
            for (Daemon daemon : daemons) {
                word.query(daemon);
            }
            return word;
        }

        /** Whether it is the one that is at work, and has all that it needs for it. */
        boolean isActive(Daemon daemon) {
            return detail(daemon).equals(ACTIVE);
        }

        boolean serves(Daemon daemon) {
            return switch (daemon.role()) {
                case ZOOKEEPER, JOURNALNODE, ZKFC -> isActive(daemon);
                case NAMENODE -> isActive(daemon) || (detail(daemon).equals(STANDBY) && anotherIsActive(daemon.role()));
                case MASTER -> isActive(daemon) || detail(daemon).equals(BACKUP);
                case DATANODE -> dataNodeHosts.contains(daemon.host().name());
                case REGIONSERVER -> regionServerHosts.contains(daemon.host().name());
                case UPLINK -> true;
            };
        }

        private boolean anotherIsActive(DaemonRole role) {
            return detailByDaemon.keySet().stream().anyMatch(daemon -> daemon.role() == role && isActive(daemon));
        }

        /** A word on it, or nothing. */
        String detail(Daemon daemon) {
            return detailByDaemon.getOrDefault(daemon, "");
        }

        private void query(Daemon daemon) throws InterruptedException {
            switch (daemon.role()) {
                case NAMENODE -> queryNameNode(daemon);
                case ZOOKEEPER -> query(daemon, zooKeeperAnswers(daemon));
                case JOURNALNODE -> query(daemon, bean(daemon, JOURNALNODE_BEAN).isPresent());
                case ZKFC -> query(daemon, listens(daemon));
                case MASTER -> queryMaster(daemon);
                case DATANODE, REGIONSERVER, UPLINK -> {
                    // Others speak for them, and an uplink has no page.
                }
            }
        }

        private void query(Daemon daemon, boolean answers) {
            detailByDaemon.put(daemon, answers ? ACTIVE : SILENT);
        }

        private void queryNameNode(Daemon daemon) throws InterruptedException {
            Optional<JsonObject> bean = bean(daemon, NAMENODE_BEAN);
            Optional<JsonObject> status = bean(daemon, NAMENODE_STATUS_BEAN);
            if (bean.isEmpty() || status.isEmpty()) {
                detailByDaemon.put(daemon, SILENT);
                return;
            }
            String state = text(status.get(), "State");
            detailByDaemon.put(daemon, text(bean.get(), "Safemode").isEmpty() ? state : state + " in safe mode");
            if (!state.equals(ACTIVE)) {
                return;
            }
            // A map whose keys are host:port.
            for (String node : JsonParser.parseString(text(bean.get(), "LiveNodes"))
                    .getAsJsonObject()
                    .keySet()) {
                dataNodeHosts.add(node.split(":", 2)[0]);
            }
        }

        private void queryMaster(Daemon daemon) throws InterruptedException {
            Optional<JsonObject> bean = bean(daemon, MASTER_BEAN);
            if (bean.isEmpty()) {
                detailByDaemon.put(daemon, SILENT);
            } else if (!text(bean.get(), "tag.isActiveMaster").equals("true")) {
                detailByDaemon.put(daemon, BACKUP);
            } else if (number(bean.get(), "masterFinishedInitializationTime") == 0) {
                detailByDaemon.put(daemon, "is getting active");
            } else {
                detailByDaemon.put(daemon, ACTIVE);
                // host,port,startcode with semicolons between them.
                for (String server : text(bean.get(), "tag.liveRegionServers").split(";", -1)) {
                    regionServerHosts.add(server.split(",", 2)[0]);
                }
            }
        }

        private Optional<JsonObject> bean(Daemon daemon, String name) throws InterruptedException {
            return jmx.bean(daemon.host().address(), daemon.role().watchedPort(), name);
        }

        private static boolean zooKeeperAnswers(Daemon daemon) {
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(
                                daemon.host().address(), daemon.role().watchedPort()),
                        LIMIT_MS);
                socket.setSoTimeout(LIMIT_MS);
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains("Mode:");
            } catch (IOException e) {
                return false;
            }
        }

        private static boolean listens(Daemon daemon) {
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(
                                daemon.host().address(), daemon.role().watchedPort()),
                        LIMIT_MS);
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        private static String text(JsonObject bean, String key) {
            JsonElement value = bean.get(key);
            return value == null || value.isJsonNull() ? "" : value.getAsString();
        }

        private static long number(JsonObject bean, String key) {
            JsonElement value = bean.get(key);
            return value == null || value.isJsonNull() ? 0 : value.getAsLong();
        }
    }
}
