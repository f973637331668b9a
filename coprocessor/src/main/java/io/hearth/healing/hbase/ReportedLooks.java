package io.hearth.healing.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.Compaction;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.ClusterLook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Makes looks of where regions are and of the servers' last reports. What another server still reports of a region
 * after a move is not used. Region replicas are regions of their own here, that read the primary's
 * files.
 *
 * <p>A region of which nothing new is known is the same object as in the look before: with 100,000 regions new ones at each
 * poll cost more than all else. Not thread-safe.
 */
public final class ReportedLooks {

    private Map<ServerName, ServerWord> wordByServer = Map.of();
    private ClusterLook last = ClusterLook.NOTHING;

    /**
     * Every region, served or not.
     *
     * @param places in the order of the regions' names, as HBase keeps them, or else it takes longer
     * @param online the last report of each live server
     * @param modes what is asked of healing for a region
     */
    public ClusterLook look(
            Collection<RegionPlace> places,
            Map<ServerName, ServerMetrics> online,
            Function<RegionPlace, HealMode> modes) {
        wordByServer = words(online);
        List<ServedRegion> served = new ArrayList<>(places.size());
        List<RegionId> unserved = new ArrayList<>();
        for (RegionPlace place : places) {
            ServerWord word = place.openOn().map(wordByServer::get).orElse(null);
            if (word != null) {
                served.add(servedRegion(place.region(), word, modes.apply(place)));
            } else {
                unserved.add(HBaseIds.regionId(place.region()));
            }
        }
        last = ClusterLook.of(served, unserved);
        return last;
    }

    private Map<ServerName, ServerWord> words(Map<ServerName, ServerMetrics> online) {
        Map<ServerName, ServerWord> words = new HashMap<>(online.size() * 2);
        online.forEach((server, metrics) -> {
            ServerWord before = wordByServer.get(server);
            words.put(server, new ServerWord(before == null ? HBaseIds.serverId(server) : before.id(), metrics));
        });
        return words;
    }

    private ServedRegion servedRegion(RegionInfo region, ServerWord word, HealMode mode) {
        RegionId id = HBaseIds.regionId(region);
        Optional<RegionMetrics> reported = word.of(region.getRegionName());
        Optional<ReportedLocality> locality = reported.map(ReportedLooks::locality);
        Compaction compaction = reported.map(metrics -> ReportedCompaction.of(metrics, word.reportedMs()))
                .orElse(Compaction.UNKNOWN);
        ServedRegion before = last.servedById().get(id);
        boolean isAsBefore = before != null
                && before.server().equals(word.id())
                && before.mode() == mode
                && before.reported().equals(locality)
                && before.compaction().equals(compaction);
        return isAsBefore
                ? before
                : new ServedRegion(
                        id,
                        HBaseIds.tableId(region.getTable()),
                        rank(region.getTable(), mode),
                        mode,
                        word.id(),
                        locality,
                        compaction);
    }

    private static ReportedLocality locality(RegionMetrics region) {
        return new ReportedLocality(region.getBlocksLocalWeight(), region.getBlocksTotalWeight());
    }

    private static HealRank rank(TableName table, HealMode mode) {
        if (TableName.isMetaTableName(table)) {
            return HealRank.META;
        }
        if (table.isSystemTable()) {
            return HealRank.SYSTEM;
        }
        return mode == HealMode.FIRST ? HealRank.FIRST : HealRank.USER;
    }
}
