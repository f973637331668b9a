// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.mob.MobFileName;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.MD5Hash;

/** One region while the files that it reads are looked up. Used once, by one thread. */
final class RegionFileResolver {

    private final ListingCache listings;
    private final MobFiles mobFiles;
    private final ReferencingRegions readers;
    private final StoreFileNames names;
    private final Path rootDir;
    private final TableDescriptor descriptor;
    private final EncodedRegionName region;
    private final Optional<RegionInfo> info;
    private final String dirName;
    private final SortedMap<EncodedRegionName, FilePart> ownReaders;
    private final List<FileRead> reads = new ArrayList<>();
    private final Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);
    private Optional<Observed.Unknown<?>> unknown = Optional.empty();
    private boolean anyDir;

    /**
     * A region of which nothing was looked up yet.
     *
     * @param info what the master knows of the region
     * @param dirName the encoded name under which its folders are, its own or its primary's
     */
    RegionFileResolver(
            ListingCache listings,
            KnownRegions regions,
            Path rootDir,
            TableDescriptor descriptor,
            EncodedRegionName region,
            Optional<RegionInfo> info,
            String dirName) {
        this.listings = listings;
        this.mobFiles = new MobFiles(regions, dirName, info);
        this.readers = new ReferencingRegions(regions);
        this.names = new StoreFileNames(rootDir);
        this.rootDir = rootDir;
        this.descriptor = descriptor;
        this.region = region;
        this.info = info;
        this.dirName = dirName;
        this.ownReaders = readers.of(dirName, region);
    }

    Observed<RegionFiles> list(boolean pinned) {
        for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
            Path dir = familyDir(rootDir, descriptor, dirName, family);
            Optional<ListingCache.Listing> listing = listing(dir);
            anyDir |= listing.isPresent();
            listing.ifPresent(found -> found.files().forEach(file -> take(new Path(dir, file.name()), file)));
            if (family.isMobEnabled()) {
                takeMobFiles(MobFiles.dir(rootDir, descriptor.getTableName(), family.getNameAsString()));
            }
        }
        if (unknown.isPresent()) {
            return Observed.unknown(unknown.get().reason(), unknown.get().detail());
        }
        return anyDir ? Observed.known(new RegionFiles(reads, skipped, pinned)) : Observed.gone();
    }

    /** The folders of a region's column families, in their order. */
    static List<Path> familyDirs(Path rootDir, TableDescriptor descriptor, String dirName) {
        return Arrays.stream(descriptor.getColumnFamilies())
                .map(family -> familyDir(rootDir, descriptor, dirName, family))
                .toList();
    }

    private static Path familyDir(
            Path rootDir, TableDescriptor descriptor, String dirName, ColumnFamilyDescriptor family) {
        Path regionDir = CommonFSUtils.getRegionDir(rootDir, descriptor.getTableName(), dirName);
        return new Path(regionDir, family.getNameAsString());
    }

    private void take(Path path, StoreFile file) {
        if (StoreFileNames.isHidden(file.name())) {
            return;
        }
        names.target(path)
                .ifPresentOrElse(this::follow, () -> reads.add(new FileRead(file, FilePart.WHOLE, true, ownReaders)));
    }

    private void follow(StoreFileNames.Target target) {
        FilePart part = target.referredRegion()
                .map(parent -> readers.part(parent, info))
                .orElse(FilePart.WHOLE);
        for (Path location : target.locations()) {
            Optional<StoreFile> file = listing(location.getParent())
                    .map(found -> found.fileByName().get(location.getName()));
            if (file.isPresent()) {
                // What went to the archive is not read by the region any more that it lay with.
                SortedMap<EncodedRegionName, FilePart> others =
                        location.equals(target.locations().get(0))
                                ? readers.of(target.owningRegion(), region)
                                : new TreeMap<>();
                ownReaders.forEach((replica, whole) -> others.put(replica, part));
                reads.add(new FileRead(file.get(), part, false, others));
                return;
            }
        }
        skipFile(SkipReason.DANGLING_REFERENCE);
    }

    private void takeMobFiles(Path dir) {
        String path = Path.getPathWithoutSchemeAndAuthority(dir).toString();
        List<String> own = new ArrayList<>();
        known(listings.names(path))
                .ifPresent(names -> names.forEach(name -> {
                    switch (mobFiles.owner(name)) {
                        case THIS_REGION -> own.add(path + "/" + name);
                        case NO_REGION -> skipFile(SkipReason.UNOWNED_MOB);
                        case ANOTHER_REGION -> {}
                    }
                }));
        takeOwnMobFiles(own);
    }

    /** There can be thousands. Once one can't be told nothing is said of the region, and who waits for a NameNode that is away waits once. */
    private void takeOwnMobFiles(List<String> paths) {
        int next = 0;
        while (next < paths.size() && unknown.isEmpty()) {
            List<String> some = paths.subList(next, Math.min(paths.size(), next + listings.filesAtATime()));
            listings.files(some).forEach(answer -> known(answer)
                    .ifPresent(file -> reads.add(new FileRead(file, FilePart.WHOLE, true, ownReaders))));
            next += some.size();
        }
    }

    private void skipFile(SkipReason reason) {
        skipped.merge(reason, 1L, Long::sum);
    }

    /** What lies in a folder; empty if it is gone, or if nobody could say, which is then said of the whole region. */
    private Optional<ListingCache.Listing> listing(Path dir) {
        return known(listings.list(Path.getPathWithoutSchemeAndAuthority(dir).toString()));
    }

    private <T> Optional<T> known(Observed<T> answer) {
        if (answer instanceof Observed.Unknown<T> failed) {
            unknown = Optional.of(failed);
        }
        return answer.ifKnown();
    }

    /**
     * The MOB files of one region. All regions of a table keep theirs in one folder for each family. A file's name has the hash
     * of a start key and, in today's HBase, the region that wrote it ({@code MobFileName}): that region alone reads it, as long
     * as it lives. After a split or a merge, in a clone, and under older names nothing in the name tells who reads it.
     */
    static final class MobFiles {

        /** Whose a MOB file is. */
        enum Owner {
            THIS_REGION,
            ANOTHER_REGION,
            /** No region's that there is, and this region begins at the key with which it was written. */
            NO_REGION
        }

        private final KnownRegions regions;
        private final String ending;
        private final Optional<String> startKeyHash;

        /**
         * The files of one region.
         *
         * @param encodedName the name under which the region writes
         * @param info what the master knows of it
         */
        MobFiles(KnownRegions regions, String encodedName, Optional<RegionInfo> info) {
            this.regions = regions;
            this.ending = MobFileName.REGION_SEP + encodedName;
            this.startKeyHash = info.map(RegionInfo::getStartKey).map(key -> MD5Hash.getMD5AsHex(key, 0, key.length));
        }

        /** The folder with the MOB files of a table's family. */
        static Path dir(Path rootDir, TableName table, String family) {
            return MobUtils.getMobFamilyPath(MobUtils.getMobRegionPath(rootDir, table), family);
        }

        Owner owner(String fileName) {
            // A clone's folder has links, with the table and the region of MOB files in front of the name.
            String name = fileName.substring(fileName.lastIndexOf('-') + 1);
            boolean link = !name.equals(fileName);
            if (name.endsWith(ending) && !link) {
                return Owner.THIS_REGION;
            }
            boolean beginsHere = startKeyHash.filter(name::startsWith).isPresent();
            return beginsHere && (link || !writerExists(name)) ? Owner.NO_REGION : Owner.ANOTHER_REGION;
        }

        private boolean writerExists(String name) {
            return StoreFileInfo.isMobFile(new Path(name))
                    && regions.region(MobFileName.create(name).getRegionName())
                            .filter(writer -> !regions.isSplit(writer))
                            .isPresent();
        }
    }

    /** What HBase's names in a store folder mean: store file, reference file ({@code StoreFileInfo}) or link ({@code HFileLink}). */
    private static final class StoreFileNames {

        /**
         * Where the bytes behind a name are.
         *
         * @param locations the paths at which the file may lie, in the order in which HBase tries them
         * @param referredRegion the encoded name of the parent region, for a reference file
         * @param owningRegion the encoded name of the region in whose folders the file lies
         */
        record Target(List<Path> locations, Optional<String> referredRegion, String owningRegion) {}

        private final Path rootDir;

        StoreFileNames(Path rootDir) {
            this.rootDir = rootDir;
        }

        /** Hidden files ({@code .filelist}, {@code .regioninfo}) are no store files. */
        static boolean isHidden(String name) {
            return name.startsWith(".");
        }

        /** Where a reference or a link points at; empty for a file that has its bytes itself. */
        Optional<Target> target(Path file) {
            if (HFileLink.isHFileLink(file)) {
                return Optional.of(linked(file, Optional.empty()));
            }
            if (!StoreFileInfo.isReference(file)) {
                return Optional.empty();
            }
            String parent =
                    StoreFileInfo.getReferredToRegionAndFile(file.getName()).getFirst();
            Path referred = StoreFileInfo.getReferredToFile(file);
            return Optional.of(
                    HFileLink.isHFileLink(referred)
                            ? linked(referred, Optional.of(parent))
                            : new Target(List.of(referred), Optional.of(parent), parent));
        }

        private Target linked(Path link, Optional<String> referredRegion) {
            HFileLink locations = HFileLink.buildFromHFileLinkPattern(
                    rootDir, new Path(rootDir, HConstants.HFILE_ARCHIVE_DIRECTORY), link);
            return new Target(
                    List.of(locations.getOriginPath(), locations.getArchivePath()),
                    referredRegion,
                    HFileLink.getReferencedRegionName(link.getName()));
        }
    }
}
