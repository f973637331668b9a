// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.healer.hbase.AssignmentSnapshotBuilder;
import io.hearth.healer.hbase.MasterRegions;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.queue.HealQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.Bytes;
import org.openjdk.jol.info.GraphLayout;

/**
 * What one poll of the healer costs in a master whose regions are all local: HBase's own region states and reports are read
 * into a snapshot, and the snapshot is compared with the one before.
 */
public final class IdlePoll {

    private static final TableName TABLE = TableName.valueOf("usertable");
    private static final int WARM_UP = 30;
    private static final int POLLS = 31;

    private final RegionStates states = new RegionStates();
    private final AssignmentSnapshotBuilder assignmentSnapshots =
            new AssignmentSnapshotBuilder(new Configuration(false));
    private final Map<ServerName, ServerMetrics> online = new HashMap<>();

    /** A master with so many regions on so many servers. */
    public IdlePoll(int regions, int servers) {
        for (int server = 0; server < servers; server++) {
            ServerName name = ServerName.valueOf(String.format("host%04d.example.com", server), 16020, 1);
            List<RegionMetrics> reported = new ArrayList<>();
            for (int region = server; region < regions; region += servers) {
                reported.add(report(open(region, name)));
            }
            online.put(
                    name,
                    ServerMetricsBuilder.newBuilder(name)
                            .setRegionMetrics(reported)
                            .build());
        }
    }

    /** Milliseconds of each of some polls. */
    public double[] millis(LongSupplier nanoClock) {
        HealQueue queue = new HealQueue();
        return DoubleStream.generate(() -> poll(queue, nanoClock))
                .limit(WARM_UP + POLLS)
                .skip(WARM_UP)
                .toArray();
    }

    /** Bytes of heap that the healer keeps of the regions when it has polled, all that it keeps alive included. */
    public long queueBytes() {
        HealQueue queue = new HealQueue();
        observe(queue, 0);
        return GraphLayout.parseInstance(queue).totalSize();
    }

    private void observe(HealQueue queue, long nowMs) {
        queue.observe(
                assignmentSnapshots.snapshot(
                        MasterRegions.locations(states.getRegionStateNodes()), online, location -> TableHealingMode.ON),
                FullClusterPlanning.QUEUE_CONFIG,
                region -> FullClusterPlanning.heat(0),
                nowMs);
    }

    private double poll(HealQueue queue, LongSupplier nanoClock) {
        long start = nanoClock.getAsLong();
        observe(queue, start / 1_000_000);
        double millis = (nanoClock.getAsLong() - start) / 1e6;
        if (queue.size() > 0) {
            throw new IllegalStateException(queue.size() + " regions are queued on a cluster that is local.");
        }
        return millis;
    }

    private RegionInfo open(int number, ServerName server) {
        RegionInfo region = RegionInfoBuilder.newBuilder(TABLE)
                .setStartKey(Bytes.toBytes(number))
                .setEndKey(Bytes.toBytes(number + 1))
                .setRegionId(1_700_000_000_000L)
                .build();
        RegionStateNode node = states.getOrCreateRegionStateNode(region);
        node.setState(RegionState.State.OPEN);
        node.setRegionLocation(server);
        return region;
    }

    private static RegionMetrics report(RegionInfo region) {
        return RegionMetricsBuilder.newBuilder(region.getRegionName())
                .setBlocksTotalWeight(10L << 30)
                .setBlocksLocalWeight(10L << 30)
                .build();
    }
}
