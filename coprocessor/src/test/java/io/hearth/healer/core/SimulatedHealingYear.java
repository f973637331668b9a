// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static io.hearth.healer.fakes.Racks.blockId;
import static io.hearth.healer.fakes.Racks.node;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.fakes.CountedMetrics;
import io.hearth.healer.fakes.FakeHdfs;
import io.hearth.healer.fakes.HealLimits;
import io.hearth.healer.fakes.HealPolicies;
import io.hearth.healer.fakes.HealerStates;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.queue.PollHints;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a healed cluster lives through, on simulated time: every day a host is replaced by one of another name, tables are made away from
 * their servers and dropped, one table may not be read, regions are moved, split and merged, and moves are undone. The cluster at the end of
 * a day is as large as at its beginning. Not thread-safe.
 */
final class SimulatedHealingYear {

    private static final long BUSY_STEP_MS = 2_000;
    private static final long SETTLING_STEP_MS = 4_000;
    private static final int SETTLING_STEPS = 10;
    private static final long QUIET_STEP_MS = 2_400_000;
    private static final int QUIET_STEPS = 6;
    private static final int HOSTS = 6;
    private static final int REGIONS = 16;
    private static final int TABLES_A_DAY = 8;
    private static final int REGIONS_A_TABLE = 3;
    private static final int BLOCKS_A_REGION = 15;
    private static final int BYTES_A_BLOCK = 100;

    /** Everything but the healer. */
    private static final class Cluster {

        private final FakeHdfs hdfs = new FakeHdfs();
        private final CountedMetrics metrics = new CountedMetrics();
        private final Map<EncodedRegionName, ServedRegion> served = new TreeMap<>();
        private final Deque<Runnable> dataNodeThreads = new ArrayDeque<>();
        private final List<String> hosts = new ArrayList<>();
        private final HealingConfig config;
        private final Random random;
        private long made;

        Cluster(long seed, Map<String, String> policy) {
            random = new Random(seed);
            config = new HealingConfig(
                    true, 1.0, 10_000, 5_000, HealLimits.of(64, 32, 0), 30_000, 60_000, HealPolicies.with(policy));
            for (int host = 0; host < HOSTS; host++) {
                hosts.add(newHost(host));
                hdfs.nodes.add(node(hosts.get(host)));
            }
            hdfs.listing = (region, files) -> switch (region.table().name().substring(0, 3)) {
                case "loc" -> Observed.unknown(UnknownReason.NOT_PERMITTED, "no");
                case "poi" -> throw new StackOverflowError("references to references");
                default -> files;
            };
        }

        private String newHost(int place) {
            return String.format(Locale.ROOT, "%c%06d", "abc".charAt(place / 2), ++made);
        }

        private String anyHost() {
            return hosts.get(random.nextInt(HOSTS));
        }

        EncodedRegionName make(String table, int blocks) {
            EncodedRegionName region = new EncodedRegionName(String.format(Locale.ROOT, "region%08d", ++made));
            String host = anyHost();
            List<BlockReplicas> all = new ArrayList<>();
            for (int block = 0; block < blocks; block++) {
                all.add(new BlockReplicas(blockId(++made), BYTES_A_BLOCK, awayFrom(host), false));
            }
            String path =
                    "/hbase/data/default/" + table + "/" + region + "/f/" + String.format(Locale.ROOT, "%08d", ++made);
            hdfs.addFile(region, new StoreFile(path, 3, false, true, all));
            serve(region, table, host);
            return region;
        }

        /** Three replicas on two racks or more, none on this host. */
        private List<Replica> awayFrom(String host) {
            List<String> others = new ArrayList<>(hosts);
            others.remove(host);
            int first = random.nextInt(others.size());
            return List.of(first, first + 1, first + 2).stream()
                    .map(index -> new Replica(node(others.get(index % others.size())), StorageType.DISK))
                    .toList();
        }

        void serve(EncodedRegionName region, String table, String host) {
            served.put(
                    region,
                    new ServedRegion(
                            region,
                            new TableId(table),
                            HealRank.USER,
                            TableHealingMode.ON,
                            new ServerId(host, 16020, 1),
                            Optional.of(locality(region, host))));
        }

        private ReportedLocality locality(EncodedRegionName region, String host) {
            List<BlockReplicas> blocks = hdfs.pathsByRegion.get(region).stream()
                    .flatMap(path -> hdfs.fileByPath.get(path).blocks().stream())
                    .toList();
            long local = blocks.stream().filter(block -> block.isLocalTo(host)).count();
            return new ReportedLocality(local * BYTES_A_BLOCK, (long) blocks.size() * BYTES_A_BLOCK);
        }

        void reportAgain(Collection<EncodedRegionName> regions) {
            regions.stream().filter(served::containsKey).forEach(region -> {
                ServedRegion known = served.get(region);
                serve(region, known.table().name(), known.server().host());
            });
        }

        /** It is gone, and its files that no other region reads. */
        void drop(EncodedRegionName region) {
            served.remove(region);
            Optional.ofNullable(hdfs.pathsByRegion.remove(region)).orElse(List.of()).stream()
                    .filter(path -> hdfs.pathsByRegion.values().stream().noneMatch(paths -> paths.contains(path)))
                    .toList()
                    .forEach(hdfs.fileByPath::remove);
        }

        /** Another machine takes its place in the rack; HDFS has made its replicas anew there, and its regions are elsewhere. */
        void replaceHost() {
            int place = random.nextInt(HOSTS);
            String dead = hosts.get(place);
            DataNode next = node(newHost(place));
            hosts.set(place, next.host());
            hdfs.nodes.removeIf(known -> known.host().equals(dead));
            hdfs.nodes.add(next);
            hdfs.fileByPath.replaceAll((path, file) -> file.withBlocks(file.blocks().stream()
                    .map(block -> new BlockReplicas(
                            block.block(),
                            block.lengthBytes(),
                            block.replicas().stream()
                                    .map(replica -> replica.node().host().equals(dead)
                                            ? new Replica(next, replica.storageType())
                                            : replica)
                                    .toList(),
                            block.corrupt()))
                    .toList()));
            List.copyOf(served.values()).stream()
                    .filter(region -> region.server().host().equals(dead))
                    .forEach(region -> serve(region.region(), region.table().name(), anyHost()));
        }

        void moveSome(int regions) {
            List<ServedRegion> all = new ArrayList<>(served.values());
            for (int move = 0; move < regions; move++) {
                ServedRegion region = all.get(random.nextInt(all.size()));
                serve(region.region(), region.table().name(), anyHost());
            }
        }

        /** Daughters read their parent's files, and do so until they have files of their own. */
        List<EncodedRegionName> split() {
            EncodedRegionName parent = ofTable("orders").get(0);
            List<String> files = hdfs.pathsByRegion.get(parent);
            List<EncodedRegionName> daughters = List.of(make("orders", 2), make("orders", 2));
            daughters.forEach(daughter -> hdfs.pathsByRegion.get(daughter).addAll(files));
            drop(parent);
            reportAgain(daughters);
            return daughters;
        }

        void compact(List<EncodedRegionName> regions) {
            for (EncodedRegionName region : regions) {
                EncodedRegionName scratch = make("orders", 2);
                List<String> files = hdfs.pathsByRegion.put(region, hdfs.pathsByRegion.get(scratch));
                hdfs.pathsByRegion.put(scratch, files);
                drop(scratch);
            }
            reportAgain(regions);
        }

        void merge() {
            List<EncodedRegionName> two = ofTable("orders").subList(0, 2);
            make("orders", 2);
            two.forEach(this::drop);
        }

        private List<EncodedRegionName> ofTable(String table) {
            return served.values().stream()
                    .filter(region -> region.table().name().equals(table))
                    .map(ServedRegion::region)
                    .collect(Collectors.toList());
        }
    }

    private final Cluster cluster;
    private final HealerState healerState = HealerStates.alone();
    private final boolean failsDaily;
    private HealingLoop loop;
    private long nowMs;

    /**
     * @param policy how healing is told to conduct itself, without {@code hearth.heal.}
     * @param failsDaily whether a look ends the loop once a day, of a region that is gone when the next loop begins
     */
    SimulatedHealingYear(long seed, Map<String, String> policy, boolean failsDaily) {
        this.cluster = new Cluster(seed, policy);
        this.failsDaily = failsDaily;
        for (int region = 0; region < REGIONS; region++) {
            cluster.make("orders", 2);
        }
        loop = newLoop();
    }

    /** One day, at the end of which no table of that day is left. */
    void day() {
        List<EncodedRegionName> ofTheDay = new ArrayList<>();
        for (int table = 0; table < TABLES_A_DAY; table++) {
            String name = String.format(Locale.ROOT, "tmp%08d", ++cluster.made);
            for (int region = 0; region < REGIONS_A_TABLE; region++) {
                ofTheDay.add(cluster.make(name, BLOCKS_A_REGION));
            }
        }
        ofTheDay.add(cluster.make(String.format(Locale.ROOT, "locked%08d", ++cluster.made), 1));
        busy(90);
        quiet();
        cluster.replaceHost();
        busy(60);
        quiet();
        List<EncodedRegionName> daughters = cluster.split();
        busy(30);
        cluster.compact(daughters);
        cluster.merge();
        busy(30);
        quiet();
        cluster.hdfs.deletesTheNewReplica = true;
        cluster.moveSome(2);
        busy(30);
        cluster.hdfs.deletesTheNewReplica = false;
        busy(30);
        quiet();
        if (failsDaily) {
            fail();
        }
        ofTheDay.forEach(cluster::drop);
        busy(30);
        quiet();
        quiet();
        cluster.hdfs.moved.clear();
    }

    /** The loop, and what outlives it. */
    Object healer() {
        return List.of(loop, healerState);
    }

    /** What it works on, which is no memory of its own. */
    List<Object> surroundings() {
        return List.of(cluster, cluster.hdfs, cluster.metrics, cluster.config, cluster.dataNodeThreads);
    }

    int regions() {
        return cluster.served.size();
    }

    long count(HealingCounter counter) {
        return cluster.metrics.get(counter);
    }

    private void busy(int seconds) {
        for (long ms = 0; ms < seconds * 1_000L; ms += BUSY_STEP_MS) {
            turn(BUSY_STEP_MS);
            if (ms % (2 * BUSY_STEP_MS) == 0) {
                cluster.hdfs.deleteExcess();
            }
        }
    }

    private void quiet() {
        // A replica is missing for 30 s before its move counts as reverted; in longer steps the NameNode seems to be
        // away.
        for (int step = 0; step < SETTLING_STEPS; step++) {
            turn(SETTLING_STEP_MS);
            cluster.hdfs.deleteExcess();
        }
        for (int step = 0; step < QUIET_STEPS; step++) {
            turn(QUIET_STEP_MS);
            cluster.hdfs.deleteExcess();
        }
    }

    private void turn(long stepMs) {
        nowMs += stepMs;
        loop.doWork(nowMs);
        while (!cluster.dataNodeThreads.isEmpty()) {
            cluster.dataNodeThreads.poll().run();
        }
    }

    /** A look ends the loop, and its region is dropped before the next one looks. */
    private void fail() {
        EncodedRegionName poison = cluster.make(String.format(Locale.ROOT, "poison%08d", ++cluster.made), 1);
        try {
            busy(60);
            throw new IllegalStateException("The loop did not look at " + poison + ".");
        } catch (StackOverflowError ended) {
            cluster.drop(poison);
            cluster.dataNodeThreads.clear();
            loop = newLoop();
        }
    }

    private HealingLoop newLoop() {
        HealerServices services = cluster.hdfs.services(
                () -> Observed.known(AssignmentSnapshot.of(cluster.served.values(), List.of())),
                cluster.hdfs,
                cluster::reportAgain);
        return new HealingLoop(
                services,
                cluster.dataNodeThreads::add,
                new PollHints(() -> {}),
                () -> cluster.config,
                cluster.metrics,
                healerState);
    }
}
