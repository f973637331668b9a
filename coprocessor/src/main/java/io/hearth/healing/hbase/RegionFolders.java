package io.hearth.healing.hbase;

import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.observe.StoreFolders;
import io.hearth.healing.observe.UnknownReason;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The store files that a region reads, by HBase's layout of folders: those in the folder of each column family of the
 * table's descriptor, those that reference files and HFileLinks there point at, and the region's MOB files. Each folder is
 * listed once in a turn, however many regions have files in it. A region replica reads the files of its primary. With the
 * file-based store file tracker a folder can also hold files that are not in use; they are healed like the others.
 */
final class RegionFolders implements StoreFiles {

    private final TurnListings listings;
    private final Tables tables;
    private final KnownRegions regions;
    private final Path rootFolder;
    private final boolean pinned;

    /** @param pinned whether the replicas of store files are pinned to favoured nodes */
    RegionFolders(StoreFolders folders, Tables tables, KnownRegions regions, Path rootFolder, boolean pinned) {
        this.listings = new TurnListings(folders);
        this.tables = tables;
        this.regions = regions;
        this.rootFolder = rootFolder;
        this.pinned = pinned;
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        listings.beginTurn(nowMs);
        TableName table = HBaseIds.tableName(region.table());
        try {
            Optional<TableDescriptor> descriptor = tables.descriptor(table);
            return descriptor.isPresent() ? list(region, descriptor.get()) : Observed.gone();
        } catch (IOException unreadable) {
            return Observed.unknown(UnknownReason.UNREADABLE, "descriptor of " + table + ": " + unreadable);
        }
    }

    private Observed<RegionFiles> list(ServedRegion region, TableDescriptor descriptor) {
        Optional<RegionInfo> info = regions.region(region.region().encodedName());
        String folderName = info.map(RegionReplicaUtil::getRegionInfoForDefaultReplica)
                .map(RegionInfo::getEncodedName)
                .orElse(region.region().encodedName());
        RegionRead read = new RegionRead(listings, regions, rootFolder, descriptor, region.region(), info, folderName);
        return read.list(pinned);
    }
}
