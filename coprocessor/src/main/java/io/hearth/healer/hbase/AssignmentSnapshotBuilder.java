// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.healer.model.Compaction;
import io.hearth.healer.model.Compaction.Phase;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.ReportedLocality;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Makes snapshots of where regions are and of the servers' last reports. What another server still reports of a region
 * after a move is not used. Region replicas are regions of their own here, that read the primary's
 * files.
 *
 * <p>A region of which nothing new is known is the same object as in the snapshot before, and so is the snapshot itself if nothing new
 * is known of any: with 100,000 regions new ones at each poll cost more than all else. Not thread-safe.
 */
public final class AssignmentSnapshotBuilder {

    /** The RegionServer's, which clears away what compactions have replaced; not in a class that is meant for others. */
    private static final String DISCHARGER_INTERVAL_MS = "hbase.hfile.compaction.discharger.interval";

    private static final int DISCHARGER_INTERVAL_DEFAULT_MS = 120_000;

    /** For the report that says that it has ended, and for the discharger's own work. */
    private static final long MARGIN_MS = 15_000;

    private final long archivedWithinMs;
    private Map<ServerName, ServerReportCursor> cursorByServer = Map.of();
    private AssignmentSnapshot last = AssignmentSnapshot.EMPTY;

    /** @param conf of this process, the nearest that can be seen to that of the RegionServers */
    public AssignmentSnapshotBuilder(Configuration conf) {
        archivedWithinMs = conf.getInt(DISCHARGER_INTERVAL_MS, DISCHARGER_INTERVAL_DEFAULT_MS) + MARGIN_MS;
    }

    /**
     * Every region, served or not.
     *
     * @param locations in the order of the regions' names, as HBase keeps them, or else it takes longer
     * @param online the last report of each live server
     * @param modes what is asked of healing for a region
     */
    @SuppressWarnings("ReferenceEquality") // a region without news is the same object
    public AssignmentSnapshot snapshot(
            Collection<RegionLocation> locations,
            Map<ServerName, ServerMetrics> online,
            Function<RegionLocation, TableHealingMode> modes) {
        cursorByServer = cursors(online);
        List<ServedRegion> served = new ArrayList<>(locations.size());
        List<EncodedRegionName> unserved = new ArrayList<>();
        boolean asBefore = true;
        for (RegionLocation location : locations) {
            ServerReportCursor cursor =
                    location.openOn().map(cursorByServer::get).orElse(null);
            EncodedRegionName region = HBaseNames.region(location.region());
            if (cursor != null) {
                ServedRegion before = last.servedById().get(region);
                ServedRegion now = servedRegion(region, before, location.region(), cursor, modes.apply(location));
                asBefore &= now == before;
                served.add(now);
            } else {
                asBefore &= last.unserved().contains(region);
                unserved.add(region);
            }
        }
        boolean nothingIsGone = served.size() == last.servedById().size()
                && unserved.size() == last.unserved().size();
        last = asBefore && nothingIsGone ? last : AssignmentSnapshot.of(served, unserved);
        return last;
    }

    private Map<ServerName, ServerReportCursor> cursors(Map<ServerName, ServerMetrics> online) {
        Map<ServerName, ServerReportCursor> cursors = new HashMap<>(online.size() * 2);
        online.forEach((server, metrics) -> {
            ServerReportCursor before = cursorByServer.get(server);
            cursors.put(
                    server, new ServerReportCursor(before == null ? HBaseNames.server(server) : before.id(), metrics));
        });
        return cursors;
    }

    private ServedRegion servedRegion(
            EncodedRegionName id,
            @Nullable ServedRegion before,
            RegionInfo region,
            ServerReportCursor cursor,
            TableHealingMode mode) {
        Optional<RegionMetrics> reported = cursor.of(region.getRegionName());
        Optional<ReportedLocality> locality = reported.map(AssignmentSnapshotBuilder::locality);
        ServedRegion there = before != null && before.server().equals(cursor.id()) ? before : null;
        Compaction known = there == null ? Compaction.UNKNOWN : there.compaction();
        Compaction compaction = reported.map(
                        metrics -> ReportedCompaction.of(metrics, cursor.reportedMs(), known, archivedWithinMs))
                .orElse(Compaction.UNKNOWN);
        return there != null
                        && there.mode() == mode
                        && there.reported().equals(locality)
                        && there.compaction().equals(compaction)
                ? there
                : new ServedRegion(
                        id,
                        HBaseNames.table(region.getTable()),
                        rank(region.getTable(), mode),
                        mode,
                        cursor.id(),
                        locality,
                        compaction);
    }

    private static ReportedLocality locality(RegionMetrics region) {
        return new ReportedLocality(region.getBlocksLocalWeight(), region.getBlocksTotalWeight());
    }

    private static HealRank rank(TableName table, TableHealingMode mode) {
        if (TableName.isMetaTableName(table)) {
            return HealRank.META;
        }
        if (table.isSystemTable()) {
            return HealRank.SYSTEM;
        }
        return mode == TableHealingMode.FIRST ? HealRank.FIRST : HealRank.USER;
    }

    /**
     * A region's compactions by its server's report. The state counts from the moment files are chosen ({@code
     * HRegion.reportCompactionRequestStart}); the cells to write and written are those of each store's last compaction, so that fewer
     * written than to write means that one runs. What was cancelled leaves such numbers too, but no state.
     */
    private static final class ReportedCompaction {

        private ReportedCompaction() {}

        /** @param before what was known of the region on this server; nothing if that is unknown */
        static Compaction of(RegionMetrics region, long reportedMs, Compaction before, long archivedWithinMs) {
            Phase phase = phase(region);
            long sinceMs = phase == Phase.NONE || phase == Phase.UNKNOWN ? 0 : reportedMs;
            return new Compaction(phase, sinceMs, region.getCompactingCellCount(), Optional.empty())
                    .after(before, reportedMs, archivedWithinMs);
        }

        private static Phase phase(RegionMetrics region) {
            CompactionState state = region.getCompactionState();
            if (state == null) {
                return Phase.UNKNOWN;
            }
            boolean writes = region.getCompactedCellCount() < region.getCompactingCellCount();
            return switch (state) {
                case NONE -> Phase.NONE;
                case MINOR -> writes ? Phase.RUNNING : Phase.QUEUED;
                case MAJOR, MAJOR_AND_MINOR -> writes ? Phase.ALL_RUNNING : Phase.ALL_QUEUED;
            };
        }
    }

    /**
     * What one server reported last, read region by region. Regions that are asked for in the order of their names, as both the
     * master and the report have them, are found by going along; any other by a search. Made for one snapshot; not thread-safe.
     */
    private static final class ServerReportCursor {

        private final ServerId id;
        private final ServerMetrics report;
        private final Iterator<RegionMetrics> regions;
        private @Nullable RegionMetrics next;

        ServerReportCursor(ServerId id, ServerMetrics report) {
            this.id = id;
            this.report = report;
            this.regions = report.getRegionMetrics().values().iterator();
            next = nextOrNull();
        }

        ServerId id() {
            return id;
        }

        long reportedMs() {
            return report.getReportTimestamp();
        }

        Optional<RegionMetrics> of(byte[] regionName) {
            while (next != null && Bytes.compareTo(next.getRegionName(), regionName) < 0) {
                next = nextOrNull();
            }
            return next != null && Bytes.equals(next.getRegionName(), regionName)
                    ? Optional.of(next)
                    : Optional.ofNullable(report.getRegionMetrics().get(regionName));
        }

        private @Nullable RegionMetrics nextOrNull() {
            return regions.hasNext() ? regions.next() : null;
        }
    }

    /**
     * Where a region is. Immutable.
     *
     * @param openOn the server that has it open; empty where it is in transition, splitting, offline or not known to be anywhere
     */
    public record RegionLocation(RegionInfo region, Optional<ServerName> openOn) {}
}
