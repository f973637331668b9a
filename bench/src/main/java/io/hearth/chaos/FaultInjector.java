// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.common.config.Setting;
import io.hearth.healer.config.HealingSettings;
import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.process.OnlineConfigChange;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import io.hearth.testkit.process.layout.Daemon.DaemonRole;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Breaks something in the cluster for a while. What is dead afterwards is started again by {@link ProcessCluster#repair}. */
final class FaultInjector {

    private static final int LEAST_HOLD_SECONDS = 5;
    private static final int HOLD_SECONDS = 20;
    private static final int FROZEN_SECONDS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long POLL_MS = 200;
    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";

    private final ProcessCluster cluster;
    private final DistributedFileSystem fileSystem;
    private final HearthMetricsReader metrics;
    private final Admin admin;
    private final OnlineConfigChange settings;
    private final long seed;
    private final SplittableRandom random;
    private final HdfsFaults hdfs;
    private final HdfsBalancerFault balancer;
    private final Consumer<String> say;

    FaultInjector(
            ProcessCluster cluster,
            DistributedFileSystem fileSystem,
            HearthMetricsReader metrics,
            Admin admin,
            OnlineConfigChange settings,
            long seed,
            SplittableRandom random,
            Consumer<String> say) {
        this.cluster = cluster;
        this.fileSystem = fileSystem;
        this.metrics = metrics;
        this.admin = admin;
        this.settings = settings;
        this.seed = seed;
        this.random = random;
        this.say = say;
        this.hdfs = new HdfsFaults(cluster, fileSystem, this::hold);
        this.balancer = new HdfsBalancerFault(cluster, fileSystem, this::hold, say);
    }

    /**
     * Breaks it, while blocks of these tables move to the target, and returns when the time of the fault is over.
     *
     * @return what was wrong already meanwhile, a line each
     */
    List<String> run(Fault fault, ClusterHost target, ChaosTable table, ChaosTable toDrop)
            throws IOException, InterruptedException {
        return switch (fault) {
            case NONE -> List.of();
            case MASTER_KILLED -> killActive(DaemonRole.MASTER);
            case TARGET_DATANODE_KILLED -> kill(cluster.daemon(DaemonRole.DATANODE, target.name()));
            case SOURCE_DATANODE_KILLED -> kill(cluster.daemon(DaemonRole.DATANODE, otherThan(target)));
            case REGIONSERVER_KILLED -> kill(cluster.daemon(DaemonRole.REGIONSERVER, target.name()));
            case NAMENODE_RESTARTED -> killNameNodes();
            case NAMENODE_FAILED_OVER -> killActive(DaemonRole.NAMENODE);
            case DISK_FULL -> hdfs.fillDisk(target);
            case DATANODE_FULL ->
                new FullDataNodeFault(cluster, fileSystem, metrics, admin, this::hold).run(target, table);
            case HDFS_BALANCER -> runHdfsBalancer(target, table);
            case PERMISSION_LOST -> hdfs.takePermission(table.folder());
            case CLOCK_STEPPED -> stepClock(target);
            case HOST_FROZEN -> freeze(target);
            case RACK_CUT -> cut(target.rack());
            case SSD_SICK ->
                new SickSsdFault(cluster, new FileChecksums(fileSystem, table.folder()), seed, say).run(target);
            case TABLE_DROPPED -> noViolations(toDrop::drop);
            case REGIONS_SPLIT -> noViolations(table.regions()::split);
            case REGIONS_MERGED -> noViolations(table.regions()::merge);
            case FILES_COMPACTED -> noViolations(table.regions()::compact);
            case BAD_RELOAD -> reloadNonsense();
            case SWITCHED_OFF -> switchOff(table);
            case REPLICATION_CHANGED -> hdfs.changeReplication(table.folder());
            case NAMENODES_ROLLED -> rollNameNodes(target);
            case COPROCESSORS_CHANGED -> changeCoprocessors();
        };
    }

    /** Of the HMasters or of the NameNodes; returns when another has taken over. */
    private List<String> killActive(DaemonRole role) throws IOException, InterruptedException {
        Optional<Daemon> active = cluster.active(role);
        if (active.isEmpty()) {
            return List.of("no " + role.word() + " was active before the fault");
        }
        cluster.kill(active.get());
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (cluster.active(role).filter(next -> !next.equals(active.get())).isEmpty()) {
            if (System.nanoTime() > deadline) {
                return List.of("no other " + role.word() + " has taken over within " + LIMIT.toSeconds() + " s");
            }
            Thread.sleep(POLL_MS);
        }
        return List.of();
    }

    /** The keys of block tokens, where the cluster has them, go with the NameNodes, and the last that know them with the DataNode. */
    private List<String> rollNameNodes(ClusterHost target) throws IOException, InterruptedException {
        for (Daemon unused : cluster.layout().daemons(DaemonRole.NAMENODE)) {
            List<String> wrong = killActive(DaemonRole.NAMENODE);
            if (!wrong.isEmpty()) {
                return wrong;
            }
            cluster.repair(LIMIT);
        }
        return kill(cluster.daemon(DaemonRole.DATANODE, target.name()));
    }

    private List<String> killNameNodes() throws IOException, InterruptedException {
        for (Daemon nameNode : cluster.layout().daemons(DaemonRole.NAMENODE)) {
            cluster.kill(nameNode);
        }
        hold();
        return List.of();
    }

    private List<String> kill(Daemon daemon) throws IOException, InterruptedException {
        cluster.kill(daemon);
        hold();
        return List.of();
    }

    /** Where it has undone so many moves that healing has stopped with an alarm, an operator resumes it when it has ended. */
    private List<String> runHdfsBalancer(ClusterHost target, ChaosTable table)
            throws IOException, InterruptedException {
        List<String> wrong = balancer.run(target, table.blocks());
        settings.set(Map.of("hearth.heal.enabled", "false"));
        settings.set(Map.of("hearth.heal.enabled", "true"));
        return wrong;
    }

    /** Of the host that blocks move to, or where a backup could take over of the active HMaster's. */
    private List<String> stepClock(ClusterHost target) throws IOException, InterruptedException {
        Daemon server = cluster.daemon(DaemonRole.REGIONSERVER, target.name());
        if (cluster.layout().clusterSpec().masters() > 1 && random.nextBoolean()) {
            server = cluster.activeMaster().orElse(server);
        }
        Duration ahead = random.nextBoolean() ? HOUR : HOUR.negated();
        say.accept("the clock of " + server.host().name() + " is set by " + ahead.toMinutes() + " minutes");
        return new ClockStepFault(cluster, admin, this::hold, say).step(server, ahead);
    }

    private List<String> freeze(ClusterHost host) throws IOException, InterruptedException {
        cluster.setFrozen(host, true);
        try {
            Thread.sleep(FROZEN_SECONDS * 1_000L);
        } finally {
            cluster.setFrozen(host, false);
        }
        return List.of();
    }

    private List<String> cut(String rack) throws IOException, InterruptedException {
        cluster.setRackLink(rack, false);
        try {
            hold();
        } finally {
            cluster.setRackLink(rack, true);
        }
        return List.of();
    }

    private interface Change {
        void make() throws IOException, InterruptedException;
    }

    private static List<String> noViolations(Change change) throws IOException, InterruptedException {
        change.make();
        return List.of();
    }

    private List<String> reloadNonsense() throws IOException, InterruptedException {
        settings.set(nonsense());
        try {
            hold();
            return cluster.activeMaster().isPresent() ? List.of() : List.of("no HMaster is active after the reload");
        } finally {
            settings.revert();
        }
    }

    private static Map<String, String> nonsense() {
        return Stream.concat(BalancerSettings.all().stream(), HealingSettings.ALL.stream())
                .collect(Collectors.toMap(Setting::key, setting -> "!"));
    }

    /** As an operator who switches authorization on, restarts the HMasters, and thinks better of it. */
    private List<String> changeCoprocessors() throws IOException, InterruptedException {
        String before = settings.get(COPROCESSORS);
        Set<String> loadedBefore = coprocessors();
        Set<String> withAccessController = new TreeSet<>(loadedBefore);
        withAccessController.add(AccessController.class.getSimpleName());
        List<String> wrong = new ArrayList<>();
        settings.set(Map.of(COPROCESSORS, AccessController.class.getName() + "," + before));
        try {
            restartHMasters();
            wrong.addAll(unlessLoaded(withAccessController));
            hold();
        } finally {
            settings.set(Map.of(COPROCESSORS, before));
        }
        restartHMasters();
        wrong.addAll(unlessLoaded(loadedBefore));
        return wrong;
    }

    /**
     * The active one last: HBase 2.6 reads this list when an HMaster starts, and not when it reads its configuration again. No region is
     * moved meanwhile: a RegionServer that finds no HMaster to tell of a region it has closed tells the next one up to minutes later.
     */
    private void restartHMasters() throws IOException, InterruptedException {
        admin.balancerSwitch(false, true);
        InvariantCheck.await(LIMIT, POLL_MS, this::noneInTransition);
        List<Daemon> masters = new ArrayList<>(cluster.layout().daemons(DaemonRole.MASTER));
        cluster.activeMaster().ifPresent(active -> {
            masters.remove(active);
            masters.add(active);
        });
        for (Daemon master : masters) {
            cluster.kill(master);
            cluster.repair(LIMIT);
        }
        admin.balancerSwitch(true, true);
    }

    private boolean noneInTransition() {
        try {
            return admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION))
                    .getRegionStatesInTransition()
                    .isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /** What is wrong if the active HMaster does not run exactly these coprocessors in the end. */
    private List<String> unlessLoaded(Set<String> expected) throws InterruptedException {
        return InvariantCheck.await(LIMIT, POLL_MS, () -> expected.equals(coprocessors()))
                ? List.of()
                : List.of("the HMaster's coprocessors are " + coprocessors() + " and not " + expected + " "
                        + LIMIT.toSeconds() + " s after it was started with that list");
    }

    /** By their simple names; empty while no HMaster says. */
    private Set<String> coprocessors() {
        try {
            return new TreeSet<>(admin.getMasterCoprocessorNames());
        } catch (IOException e) {
            return Set.of();
        }
    }

    /** With everything switched off, what is under way ends, and then nothing becomes local. */
    private List<String> switchOff(ChaosTable table) throws IOException, InterruptedException {
        admin.balancerSwitch(false, true);
        settings.set(Map.of("hearth.heal.enabled", "false"));
        try {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (metrics.movesInFlight().orElse(1L) > 0) {
                if (System.nanoTime() > deadline) {
                    return List.of("moves are under way " + LIMIT.toSeconds() + " s after healing was switched off");
                }
                Thread.sleep(POLL_MS);
            }
            long remoteBefore = table.localitySnapshot().nonLocalBytes();
            hold();
            long remoteAfter = table.localitySnapshot().nonLocalBytes();
            return remoteAfter < remoteBefore
                    ? List.of(remoteBefore - remoteAfter + " bytes became local while healing was switched off")
                    : List.of();
        } finally {
            settings.set(Map.of("hearth.heal.enabled", "true"));
            admin.balancerSwitch(true, true);
        }
    }

    private String otherThan(ClusterHost target) {
        List<ClusterHost> others = cluster.layout().workers().stream()
                .filter(host -> !host.equals(target))
                .toList();
        return others.get(random.nextInt(others.size())).name();
    }

    private void hold() throws InterruptedException {
        Thread.sleep((LEAST_HOLD_SECONDS + random.nextInt(HOLD_SECONDS)) * 1_000L);
    }
}
