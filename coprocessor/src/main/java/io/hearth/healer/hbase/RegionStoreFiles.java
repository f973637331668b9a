// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.healer.core.HealerServices.StoreFiles;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.hbase.HealerRuntime.TableDescriptorSource;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * The store files that a region reads, by HBase's layout of folders: those in the folder of each column family of the
 * table's descriptor, those that reference files and HFileLinks there point at, and the region's MOB files. Each folder is
 * listed once in a turn, however many regions have files in it. A region replica reads the files of its primary. With the
 * file-based store file tracker a folder can also hold files that are not in use; they are healed like the others.
 */
final class RegionStoreFiles implements StoreFiles {

    private final ListingCache listings;
    private final TableDescriptorSource tables;
    private final KnownRegions regions;
    private final Path rootDir;
    private final boolean pinned;

    /** @param pinned whether the replicas of store files are pinned to favoured nodes */
    RegionStoreFiles(
            StoreDirectories directories,
            TableDescriptorSource tables,
            KnownRegions regions,
            Path rootDir,
            boolean pinned) {
        this.listings = new ListingCache(directories);
        this.tables = tables;
        this.regions = regions;
        this.rootDir = rootDir;
        this.pinned = pinned;
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        listings.beginTurn(nowMs);
        TableName table = HBaseNames.tableName(region.table());
        try {
            Optional<TableDescriptor> descriptor = tables.descriptor(table);
            return descriptor.isPresent() ? list(region, descriptor.get()) : Observed.gone();
        } catch (AccessDeniedException notShown) {
            return Observed.unknown(UnknownReason.NOT_PERMITTED, String.valueOf(notShown.getMessage()));
        } catch (IOException unreadable) {
            return Observed.unknown(UnknownReason.UNREADABLE, "descriptor of " + table + ": " + unreadable);
        }
    }

    /** For the folders of column families: what is met in them only, references and links, is followed when a region is listed. */
    @Override
    public int prepare(List<ServedRegion> next, long nowMs) {
        listings.beginTurn(nowMs);
        int most = listings.atATime();
        Set<String> dirs = new LinkedHashSet<>();
        int prepared = 0;
        for (ServedRegion region : next) {
            Set<String> more = new LinkedHashSet<>(familyDirs(region));
            more.removeIf(dir -> dirs.contains(dir) || listings.isListed(dir));
            if (prepared > 0 && dirs.size() + more.size() > most) {
                break;
            }
            dirs.addAll(more);
            prepared++;
        }
        listings.listAll(dirs);
        return prepared;
    }

    /** Without a descriptor nothing: why there is none is found out when the region is listed. */
    private List<String> familyDirs(ServedRegion region) {
        TableName table = HBaseNames.tableName(region.table());
        try {
            Optional<TableDescriptor> descriptor = tables.descriptor(table);
            return descriptor.stream()
                    .flatMap(known -> RegionFileResolver.familyDirs(rootDir, known, dirName(region)).stream())
                    .map(dir -> Path.getPathWithoutSchemeAndAuthority(dir).toString())
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private String dirName(ServedRegion region) {
        return regions.region(region.region().encodedName())
                .map(RegionReplicaUtil::getRegionInfoForDefaultReplica)
                .map(RegionInfo::getEncodedName)
                .orElse(region.region().encodedName());
    }

    private Observed<RegionFiles> list(ServedRegion region, TableDescriptor descriptor) {
        Optional<RegionInfo> info = regions.region(region.region().encodedName());
        String dirName = dirName(region);
        RegionFileResolver read =
                new RegionFileResolver(listings, regions, rootDir, descriptor, region.region(), info, dirName);
        return read.list(pinned);
    }
}
