// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.bench.cluster.LinearityResult.SizedHeal;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.process.FastTimings;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;

/**
 * Heals in which 3, 6 and 12 DataNodes take part, one after the other on one cluster of twelve. There is one replica of each block, so that no
 * other DataNode can help: the regions of each of these hosts go to others of them, and their blocks follow. Each DataNode has the same bytes
 * to send and to receive at every size.
 */
public final class LinearityRun {

    static final int[] SIZES = {3, 6, 12};

    /** Of each DataNode, in and out together: so little that processors are no limit. */
    private static final int BYTES_PER_SECOND = 4_000_000;

    private static final int REGIONS_OF_A_HOST = 3;
    private static final int DISK_MEGABYTES = 512;
    private static final long SETTLE_SECONDS = 8;
    private static final long POLL_MS = 200;

    private final Scale scale;
    private final ClusterHandle handle;
    private final HealStrategy healStrategy;
    private final Consumer<String> says;

    private LinearityRun(Scale scale, ClusterHandle handle, Consumer<String> says) throws IOException {
        this.scale = scale;
        this.handle = handle;
        this.healStrategy = new HealStrategy(Variant.HEARTH, handle);
        this.says = says;
    }

    /**
     * Starts a cluster in this folder, heals on it, and takes it away.
     *
     * @param says what happens, a line at a time
     */
    public static LinearityResult run(Scale scale, long seed, Path folder, Consumer<String> says)
            throws IOException, InterruptedException {
        return VariantRun.on(clusterSpec(scale), folder, cluster -> run(scale, seed, cluster, says));
    }

    private static ClusterSpec clusterSpec(Scale scale) {
        Map<String, String> settings = new HashMap<>(FastTimings.with(Map.of(
                VariantRun.HEARTBEATS,
                VariantRun.HEARTBEAT_SECONDS,
                "hearth.heal.region.stable.ms",
                "0",
                "dfs.replication",
                "1",
                // Whoever reads the only replica of a block that has moved waits for this; of three it would read
                // another.
                "dfs.client.retry.window.base",
                "0",
                "dfs.datanode.balance.bandwidthPerSec",
                "" + BYTES_PER_SECOND)));
        settings.putAll(scale.settings());
        int hosts = SIZES[SIZES.length - 1];
        return new ClusterSpec(
                hosts, 1, 1, 1, NetworkMode.NAMESPACES, 0, 0, DISK_MEGABYTES, 0, false, false, true, settings);
    }

    private static LinearityResult run(Scale scale, long seed, ProcessCluster cluster, Consumer<String> says)
            throws IOException, InterruptedException {
        int hosts = cluster.layout().workers().size();
        LoadTable table = LoadTable.of(
                REGIONS_OF_A_HOST * hosts, scale.linearityMegabytes() * hosts, Scale.VALUE_BYTES, Map.of());
        try (ClusterHandle handle = ClusterHandle.of(cluster)) {
            LinearityRun run = new LinearityRun(scale, handle, says);
            handle.admin().balancerSwitch(false, true);
            table.create(handle.connection(), seed, rows -> {});
            // Each DataNode's rate starts low and is remembered: from here on all have the same.
            run.heal(hosts);
            List<SizedHeal> heals = new ArrayList<>();
            for (int time = 0; time < scale.linearityTimes(); time++) {
                for (int size : SIZES) {
                    heals.add(run.heal(size));
                }
            }
            return new LinearityResult(heals);
        }
    }

    private SizedHeal heal(int size) throws IOException, InterruptedException {
        List<ServerName> servers =
                handle.admin().getRegionServers().stream().sorted().limit(size).toList();
        LocalitySnapshot before = handle.observer().localitySnapshot();
        Set<String> regions = new HashSet<>();
        for (int host = 0; host < size; host++) {
            List<RegionBlocks> own = before.servedBy(servers.get(host).getHostname());
            for (int i = 0; i < own.size(); i++) {
                String region = own.get(i).region();
                handle.move(List.of(region), servers.get(target(host, i, size)));
                regions.add(region);
            }
        }
        TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
        OptionalDouble estimated = healStrategy.estimate();
        long bytes = handle.observer().localitySnapshot().of(regions).nonLocalBytes();
        SizedHeal heal = await(size, bytes, regions, healStrategy.begin(before), estimated);
        healStrategy.end();
        says.accept("   " + ClusterResultTable.inShort(heal));
        return heal;
    }

    /** Where a host's first, second and further region goes: to one host after the other, so that each gets as many as it gives. */
    static int target(int host, int region, int size) {
        return (host + 1 + region % (size - 1)) % size;
    }

    private SizedHeal await(int size, long bytes, Set<String> regions, long fromNanos, OptionalDouble estimated)
            throws IOException, InterruptedException {
        double copied = Double.POSITIVE_INFINITY;
        double confirmed = Double.POSITIVE_INFINITY;
        double seconds = 0;
        while (seconds < scale.limitSeconds() && Double.isInfinite(confirmed)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            LocalitySnapshot now = handle.observer().localitySnapshot().of(regions);
            seconds = (System.nanoTime() - fromNanos) / 1e9;
            boolean isCopied = now.nonLocalBlocks() == 0;
            copied = isCopied ? Math.min(copied, seconds) : copied;
            confirmed = isCopied && now.blocksInExcess() == 0 ? seconds : confirmed;
        }
        return new SizedHeal(size, bytes, copied, confirmed, estimated);
    }
}
