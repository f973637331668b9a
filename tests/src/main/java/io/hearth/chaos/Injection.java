package io.hearth.chaos;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.config.Setting;
import io.hearth.cluster.ClusterHost;
import io.hearth.healing.config.HealingSettings;
import io.hearth.procs.LiveSettings;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Breaks something in the cluster for a while. What is dead afterwards is started again by {@link ProcessCluster#repair}. */
final class Injection {

    private static final int LEAST_HOLD_SECONDS = 5;
    private static final int HOLD_SECONDS = 20;
    private static final int FROZEN_SECONDS = 30;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long LOOK_MS = 200;
    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";

    private final ProcessCluster cluster;
    private final HearthGauges gauges;
    private final Admin admin;
    private final LiveSettings settings;
    private final SplittableRandom random;
    private final HdfsFaults hdfs;
    private final HdfsBalancer balancer;
    private final Consumer<String> say;

    Injection(
            ProcessCluster cluster,
            DistributedFileSystem fileSystem,
            HearthGauges gauges,
            Admin admin,
            LiveSettings settings,
            SplittableRandom random,
            Consumer<String> say) {
        this.cluster = cluster;
        this.gauges = gauges;
        this.admin = admin;
        this.settings = settings;
        this.random = random;
        this.say = say;
        this.hdfs = new HdfsFaults(cluster, fileSystem, this::hold);
        this.balancer = new HdfsBalancer(cluster, fileSystem, this::hold, say);
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
            case MASTER_KILLED -> killActive(Role.MASTER);
            case TARGET_DATANODE_KILLED -> kill(cluster.member(Role.DATANODE, target.name()));
            case SOURCE_DATANODE_KILLED -> kill(cluster.member(Role.DATANODE, otherThan(target)));
            case REGIONSERVER_KILLED -> kill(cluster.member(Role.REGIONSERVER, target.name()));
            case NAMENODE_RESTARTED -> killNameNodes();
            case NAMENODE_FAILED_OVER -> killActive(Role.NAMENODE);
            case DISK_FULL -> hdfs.fillDisk(target);
            case HDFS_BALANCER -> moveAgainstUs(target, table);
            case PERMISSION_LOST -> hdfs.takePermission(table.folder());
            case CLOCK_STEPPED -> stepClock(target);
            case HOST_FROZEN -> freeze(target);
            case RACK_CUT -> cut(target.rack());
            case TABLE_DROPPED -> nothingWrong(toDrop::drop);
            case REGIONS_SPLIT -> nothingWrong(table.regions()::split);
            case REGIONS_MERGED -> nothingWrong(table.regions()::merge);
            case FILES_COMPACTED -> nothingWrong(table.regions()::compact);
            case BAD_RELOAD -> reloadNonsense();
            case SWITCHED_OFF -> switchOff(table);
            case REPLICATION_CHANGED -> hdfs.changeReplication(table.folder());
            case NAMENODES_ROLLED -> rollNameNodes(target);
            case COPROCESSORS_CHANGED -> changeCoprocessors();
        };
    }

    /** Of the HMasters or of the NameNodes; returns when another has taken over. */
    private List<String> killActive(Role role) throws IOException, InterruptedException {
        Optional<Member> active = cluster.active(role);
        if (active.isEmpty()) {
            return List.of("no " + role.word() + " was active before the fault");
        }
        cluster.kill(active.get());
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (cluster.active(role).filter(next -> !next.equals(active.get())).isEmpty()) {
            if (System.nanoTime() > deadline) {
                return List.of("no other " + role.word() + " has taken over within " + LIMIT.toSeconds() + " s");
            }
            Thread.sleep(LOOK_MS);
        }
        return List.of();
    }

    /** The keys of block tokens, where the cluster has them, go with the NameNodes, and the last that know them with the DataNode. */
    private List<String> rollNameNodes(ClusterHost target) throws IOException, InterruptedException {
        for (Member unused : cluster.layout().members(Role.NAMENODE)) {
            List<String> wrong = killActive(Role.NAMENODE);
            if (!wrong.isEmpty()) {
                return wrong;
            }
            cluster.repair(LIMIT);
        }
        return kill(cluster.member(Role.DATANODE, target.name()));
    }

    private List<String> killNameNodes() throws IOException, InterruptedException {
        for (Member nameNode : cluster.layout().members(Role.NAMENODE)) {
            cluster.kill(nameNode);
        }
        hold();
        return List.of();
    }

    private List<String> kill(Member member) throws IOException, InterruptedException {
        cluster.kill(member);
        hold();
        return List.of();
    }

    /** Where it has undone so many moves that healing has stopped with an alarm, an operator resumes it when it has ended. */
    private List<String> moveAgainstUs(ClusterHost target, ChaosTable table) throws IOException, InterruptedException {
        List<String> wrong = balancer.run(target, table.blocks());
        settings.set(Map.of("hearth.heal.enabled", "false"));
        settings.set(Map.of("hearth.heal.enabled", "true"));
        return wrong;
    }

    /** Of the host that blocks move to, or where a backup could take over of the active HMaster's. */
    private List<String> stepClock(ClusterHost target) throws IOException, InterruptedException {
        Member server = cluster.member(Role.REGIONSERVER, target.name());
        if (cluster.layout().shape().masters() > 1 && random.nextBoolean()) {
            server = cluster.activeMaster().orElse(server);
        }
        Duration ahead = random.nextBoolean() ? HOUR : HOUR.negated();
        say.accept("the clock of " + server.host().name() + " is set by " + ahead.toMinutes() + " minutes");
        return new ClockStep(cluster, admin, this::hold).step(server, ahead);
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

    private static List<String> nothingWrong(Change change) throws IOException, InterruptedException {
        change.make();
        return List.of();
    }

    private List<String> reloadNonsense() throws IOException, InterruptedException {
        settings.set(nonsense());
        try {
            hold();
            return cluster.activeMaster().isPresent() ? List.of() : List.of("no HMaster is active after the reload");
        } finally {
            settings.takeBack();
        }
    }

    private static Map<String, String> nonsense() {
        return Stream.concat(BalancerSettings.all().stream(), HealingSettings.ALL.stream())
                .collect(Collectors.toMap(Setting::key, setting -> "!"));
    }

    /** As an operator who switches authorization on and reads it again, and thinks better of it. */
    private List<String> changeCoprocessors() throws IOException, InterruptedException {
        String before = settings.get(COPROCESSORS);
        settings.set(Map.of(COPROCESSORS, AccessController.class.getName() + "," + before));
        try {
            hold();
            return cluster.activeMaster().isPresent() ? List.of() : List.of("no HMaster is active after the reload");
        } finally {
            settings.set(Map.of(COPROCESSORS, before));
        }
    }

    /** With everything switched off, what is under way ends, and then nothing comes home. */
    private List<String> switchOff(ChaosTable table) throws IOException, InterruptedException {
        admin.balancerSwitch(false, true);
        settings.set(Map.of("hearth.heal.enabled", "false"));
        try {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (gauges.movesInFlight().orElse(1L) > 0) {
                if (System.nanoTime() > deadline) {
                    return List.of("moves are under way " + LIMIT.toSeconds() + " s after healing was switched off");
                }
                Thread.sleep(LOOK_MS);
            }
            long awayBefore = table.census().nonLocalBytes();
            hold();
            long awayAfter = table.census().nonLocalBytes();
            return awayAfter < awayBefore
                    ? List.of(awayBefore - awayAfter + " bytes came home while healing was switched off")
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
