// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.crash;

import io.hearth.demo.ClusterInspector;
import io.hearth.demo.DemoTable;
import io.hearth.demo.HealerCounters;
import io.hearth.demo.RemoteBlockMonitor;
import io.hearth.demo.console.DemoConsole.Progress;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.measure.BlockSnapshot;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Kills one RegionServer of six under a table that is local, and follows its regions until they are local again, with a
 * bandwidth that lasts for minutes: so the time says how much of what is allowed is used.
 */
public final class CrashRun {

    private static final int HOSTS = 6;
    private static final int RACKS = 3;
    private static final int REGIONS = 60;
    private static final Duration SETTLES = Duration.ofMinutes(3);
    private static final Duration HEALS = Duration.ofMinutes(20);

    private final EmbeddedCluster cluster;
    private final ClusterInspector inspector;
    private final long bandwidthBytesPerSecond;

    private CrashRun(EmbeddedCluster cluster, long bandwidthBytesPerSecond) throws Exception {
        this.cluster = cluster;
        this.inspector = new ClusterInspector(cluster);
        this.bandwidthBytesPerSecond = bandwidthBytesPerSecond;
    }

    /**
     * Starts a cluster, runs on it and stops it.
     *
     * @param says what happens, a line at a time
     */
    public static CrashResult run(int megabytes, long bandwidthBytesPerSecond, Consumer<String> says) throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder()
                .hosts(HOSTS)
                .racks(RACKS)
                .blockSizeBytes(1 << 20)
                .withHearth()
                // Only to make time pass faster.
                .property("hbase.regionserver.msginterval", "1000")
                .property("hbase.balancer.statusPeriod", "1000")
                .property("hearth.heal.poll.ms", "1000")
                .property("hearth.heal.region.stable.ms", "3000")
                // Else the regions land where their blocks are, and there is little to heal.
                .property("hearth.balancer.placement.enabled", "false")
                .property("hearth.heal.cluster.bandwidth", Long.toString(bandwidthBytesPerSecond))
                .start()) {
            return new CrashRun(cluster, bandwidthBytesPerSecond).run(megabytes, says);
        }
    }

    private CrashResult run(int megabytes, Consumer<String> says) throws Exception {
        load(megabytes);
        says.accept(HOSTS + " hosts, " + REGIONS + " regions, " + megabytes + " MB, all local");
        LocalitySnapshot before = inspector.localitySnapshot();
        HealerCounters counted = HealerCounters.now();
        String victim = victim(before);
        Set<String> regions =
                before.servedBy(victim).stream().map(RegionBlocks::region).collect(Collectors.toSet());
        try (RemoteBlockMonitor moves = RemoteBlockMonitor.start(inspector)) {
            cluster.killRegionServer(victim);
            says.accept("the RegionServer on " + victim + " is killed, with " + regions.size() + " regions");
            await(SETTLES).until(() -> !moves.arrivedRegions().regions().isEmpty());
            long startNanos = System.nanoTime();
            await(SETTLES)
                    .until(() -> moves.arrivedRegions().of(regions).regions().size() == regions.size());
            says.accept(String.format(
                    "%,d bytes are remote at first; at %,d bytes/s they take %.0f s at least",
                    moves.nonLocalBytes(),
                    bandwidthBytesPerSecond,
                    (double) moves.nonLocalBytes() / bandwidthBytesPerSecond));
            await(HEALS).until(() -> inspector.localitySnapshot().nonLocalBytes() == 0);
            long healMs = (System.nanoTime() - startNanos) / 1_000_000;
            awaitExactReplication();
            LocalitySnapshot after = inspector.localitySnapshot();
            return new CrashResult(
                    regions.size(),
                    bandwidthBytesPerSecond,
                    moves.nonLocalBytes(),
                    HealerCounters.now().since(counted).bytes(),
                    healMs,
                    after.locality(),
                    BlockSnapshot.of(after).since(BlockSnapshot.of(before)),
                    inspector.fsck());
        }
    }

    private void load(int megabytes) throws Exception {
        cluster.admin().balancerSwitch(false, true);
        KeySpace keys = DemoTable.keySpace(REGIONS, megabytes);
        DemoTable.create(cluster.admin(), keys);
        DemoTable.load(cluster.connection(), keys, 1, NoProgress.INSTANCE);
        cluster.admin().flush(DemoTable.NAME);
        await(SETTLES).until(() -> inspector.localitySnapshot().nonLocalBytes() == 0);
    }

    /** The host with most bytes, but not the one with hbase:meta, whose recovery comes first. */
    private String victim(LocalitySnapshot localitySnapshot) throws Exception {
        String metaHost = cluster.connection()
                .getRegionLocator(TableName.META_TABLE_NAME)
                .getRegionLocation(new byte[0])
                .getHostname();
        return localitySnapshot.bytesByHost().entrySet().stream()
                .filter(host -> !host.getKey().equals(metaHost))
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    /** A block that was moved has a replica too many for some seconds, until HDFS deletes the old one. */
    private void awaitExactReplication() {
        await(SETTLES).until(() -> {
            BlockSnapshot now = BlockSnapshot.of(inspector.localitySnapshot());
            return now.since(now).notAtReplication() == 0;
        });
    }

    private static ConditionFactory await(Duration atMost) {
        return Awaitility.await()
                .atMost(atMost)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions();
    }

    /** Shows nothing. */
    private enum NoProgress implements Progress {
        INSTANCE;

        @Override
        public void update(long done, String note) {}

        @Override
        public void close() {}
    }
}
