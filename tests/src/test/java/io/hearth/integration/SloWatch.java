// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.hbase.HBaseWatch;
import io.hearth.slo.hdfs.HdfsWatch;
import io.hearth.slo.probe.ProbeCounts;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeRate;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.probe.Prober;
import io.hearth.slo.store.DataNodeMinute;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/** The parts of the SLO watch's daemon, on threads of this JVM. */
final class SloWatch implements AutoCloseable {

    static final Path HDFS_FOLDER = new Path("/hearth-slo");

    private static final Duration DATANODE_LIMIT = Duration.ofSeconds(15);

    private final Queue<ProbeResult> results = new ConcurrentLinkedQueue<>();
    private final Prober prober;
    private final HBaseWatch hbase;
    private final HdfsWatch hdfs;
    private final HealerUser user;
    private volatile boolean running = true;
    private volatile String lastProblem = "none";
    private volatile DataNodeMinute lastDataNodes = DataNodeMinute.at(0, Set.of(), Set.of());

    /** @param limit of all probes but those of DataNodes */
    SloWatch(EmbeddedCluster cluster, TableName table, Duration limit, int getsPerSecond) throws IOException {
        prober = new Prober(
                Arrays.stream(ProbeKind.values())
                        .collect(Collectors.toMap(kind -> kind, kind -> rate(kind, limit, getsPerSecond))),
                System::nanoTime,
                System::currentTimeMillis,
                1,
                100_000,
                results::add);
        user = HealerUser.login(cluster.configuration());
        hbase = new HBaseWatch(cluster.configuration(), user, "it", List.of(table), limit, prober);
        hdfs = new HdfsWatch(
                cluster.configuration(),
                user,
                HDFS_FOLDER,
                "it",
                DATANODE_LIMIT,
                limit,
                prober,
                1,
                (live, dead) -> lastDataNodes = DataNodeMinute.at(System.currentTimeMillis(), live, dead));
        start(() -> LockSupport.parkNanos(prober.turn()));
        start(() -> turn(hbase::turn));
        start(() -> turn(hdfs::turn));
        start(() -> turn(user::keepLoggedIn));
    }

    private static ProbeRate rate(ProbeKind kind, Duration limit, int getsPerSecond) {
        return switch (kind) {
            case GET -> ProbeRate.of(Duration.ofSeconds(1).dividedBy(getsPerSecond), limit);
            case HDFS_WRITE, HDFS_READ -> ProbeRate.of(DATANODE_LIMIT.plusSeconds(1), DATANODE_LIMIT);
            case PUT, ROW_GET, NAMENODE, REGISTRY -> ProbeRate.of(Duration.ofSeconds(1), limit);
        };
    }

    private interface Turn {
        void make() throws IOException;
    }

    private void turn(Turn turn) {
        try {
            turn.make();
        } catch (IOException | RuntimeException away) {
            // As the daemon does: it is tried again.
            lastProblem = away.toString();
        }
        LockSupport.parkNanos(100_000_000);
    }

    private void start(Runnable work) {
        Thread thread = new Thread(() -> {
            while (running) {
                work.run();
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    /** The RegionServers as probes name them. */
    static Set<String> regionServers(EmbeddedCluster cluster) {
        return cluster.hosts().stream()
                .flatMap(host -> cluster.regionServerOn(host.name()).stream())
                .map(ServerName::getAddress)
                .map(Object::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The short name of the user that it is logged in as. */
    String user() {
        return user.shortName();
    }

    Queue<ProbeResult> results() {
        return results;
    }

    ProbeCounts counts() {
        return prober.counts();
    }

    /** What the NameNode said last. */
    DataNodeMinute dataNodes() {
        return lastDataNodes;
    }

    String lastProblem() {
        return lastProblem;
    }

    List<ProbeResult> of(ProbeKind kind) {
        return results.stream().filter(result -> result.kind() == kind).toList();
    }

    /** The servers that have answered a probe of this kind. */
    Set<String> answered(ProbeKind kind) {
        return of(kind).stream()
                .filter(result -> result.outcome() == Outcome.ANSWERED)
                .map(ProbeResult::target)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void close() {
        running = false;
        hdfs.close();
        hbase.close();
    }
}
