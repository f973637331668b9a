// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.ClusterStateBuilder;
import io.hearth.balancer.state.LocalBytes;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/**
 * Makes the state of servers of what they reported last and of what the engine knows of their regions, as the master would plan
 * on it. It keeps one name for each table of the reports that it reads. One thread's.
 */
public final class ReportedStateReader {

    private static final int PARTS_OF_A_PRIMARY = 3;
    private static final int HEXADECIMAL = 16;

    private final ClusterStateBuilder view;
    private final Function<EncodedRegionName, LocalBytes> blocks;
    private final Predicate<TableName> isCanary;
    private final Map<TableName, TableId> tables = new HashMap<>();

    /**
     * A reader that leaves out where the bytes are.
     *
     * @param isCanary whose regions are left out, too
     */
    public ReportedStateReader(ClusterStateBuilder view, Predicate<TableName> isCanary) {
        this(view, region -> LocalBytes.UNKNOWN, isCanary);
    }

    /**
     * The same, with where the bytes are.
     *
     * @param blocks where the bytes of a region are
     */
    public ReportedStateReader(
            ClusterStateBuilder view, Function<EncodedRegionName, LocalBytes> blocks, Predicate<TableName> isCanary) {
        this.view = view;
        this.blocks = blocks;
        this.isCanary = isCanary;
    }

    /**
     * This server with the regions of its report, but for canary regions.
     *
     * @throws IOException if the report has a region whose name is none
     */
    public ServerState read(ServerState server, ServerMetrics report) throws IOException {
        List<RegionState> regions = new ArrayList<>(report.getRegionMetrics().size());
        for (RegionMetrics region : report.getRegionMetrics().values()) {
            byte[][] parts = RegionInfo.parseRegionName(region.getRegionName());
            TableName table = TableName.valueOf(parts[0]);
            if (!isCanary.test(table)) {
                regions.add(read(region, table, parts));
            }
        }
        return server.withRegions(regions);
    }

    private RegionState read(RegionMetrics metrics, TableName table, byte[][] parts) {
        EncodedRegionName region = HBaseNames.region(metrics.getRegionName());
        return view.region(
                region,
                parts.length > PARTS_OF_A_PRIMARY ? primary(table, parts) : region,
                tables.computeIfAbsent(table, HBaseNames::table),
                blocks.apply(region),
                Optional.of(new StoreFileBytes(
                        (long) metrics.getStoreFileSize().get(Size.Unit.BYTE),
                        metrics.getBlocksLocalWeight(),
                        metrics.getBlocksTotalWeight())));
    }

    /** The encoded name is a digest of what the name says; the end key, which it does not say, is not in it. */
    private static EncodedRegionName primary(TableName table, byte[][] parts) {
        RegionInfo replica = RegionInfoBuilder.newBuilder(table)
                .setStartKey(parts[1])
                .setRegionId(Long.parseLong(new String(parts[2], StandardCharsets.UTF_8)))
                .setReplicaId(
                        Integer.parseInt(new String(parts[PARTS_OF_A_PRIMARY], StandardCharsets.UTF_8), HEXADECIMAL))
                .build();
        return HBaseNames.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(replica));
    }
}
