package io.hearth.healing.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.FilePart;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/** One region while the files that it reads are looked up. Used once, by one thread. */
final class RegionRead {

    private final TurnListings listings;
    private final MobFiles mobFiles;
    private final FileReaders readers;
    private final StoreFileNames names;
    private final Path rootFolder;
    private final TableDescriptor descriptor;
    private final RegionId region;
    private final Optional<RegionInfo> info;
    private final String folderName;
    private final SortedMap<RegionId, FilePart> ownReaders;
    private final List<FileRead> reads = new ArrayList<>();
    private final Map<SkipReason, Long> passedOver = new EnumMap<>(SkipReason.class);
    private Optional<Observed.Unknown<?>> unknown = Optional.empty();
    private boolean anyFolder;

    /**
     * A region of which nothing was looked up yet.
     *
     * @param info what the master knows of the region
     * @param folderName the encoded name under which its folders are, its own or its primary's
     */
    RegionRead(
            TurnListings listings,
            KnownRegions regions,
            Path rootFolder,
            TableDescriptor descriptor,
            RegionId region,
            Optional<RegionInfo> info,
            String folderName) {
        this.listings = listings;
        this.mobFiles = new MobFiles(regions, folderName, info);
        this.readers = new FileReaders(regions);
        this.names = new StoreFileNames(rootFolder);
        this.rootFolder = rootFolder;
        this.descriptor = descriptor;
        this.region = region;
        this.info = info;
        this.folderName = folderName;
        this.ownReaders = readers.of(folderName, region);
    }

    Observed<RegionFiles> list(boolean pinned) {
        Path regionFolder = CommonFSUtils.getRegionDir(rootFolder, descriptor.getTableName(), folderName);
        for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
            Path folder = new Path(regionFolder, family.getNameAsString());
            Optional<TurnListings.Listing> listing = listing(folder);
            anyFolder |= listing.isPresent();
            listing.ifPresent(found -> found.files().forEach(file -> take(new Path(folder, file.name()), file)));
            if (family.isMobEnabled()) {
                listing(MobFiles.folder(rootFolder, descriptor.getTableName(), family.getNameAsString()))
                        .ifPresent(found -> found.files().forEach(this::takeMob));
            }
        }
        if (unknown.isPresent()) {
            return Observed.unknown(unknown.get().reason(), unknown.get().detail());
        }
        return anyFolder ? Observed.known(new RegionFiles(reads, passedOver, pinned)) : Observed.gone();
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
        for (Path place : target.places()) {
            Optional<StoreFile> file =
                    listing(place.getParent()).map(found -> found.fileByName().get(place.getName()));
            if (file.isPresent()) {
                // What went to the archive is not read by the region any more that it lay with.
                SortedMap<RegionId, FilePart> others =
                        place.equals(target.places().get(0))
                                ? readers.of(target.homeRegion(), region)
                                : new TreeMap<>();
                ownReaders.forEach((replica, whole) -> others.put(replica, part));
                reads.add(new FileRead(file.get(), part, false, others));
                return;
            }
        }
        passOver(SkipReason.POINTS_NOWHERE);
    }

    private void takeMob(StoreFile file) {
        switch (mobFiles.owner(file.name())) {
            case THIS_REGION -> reads.add(new FileRead(file, FilePart.WHOLE, true, ownReaders));
            case NO_REGION -> passOver(SkipReason.MOB_OF_NO_REGION);
            case ANOTHER_REGION -> {}
        }
    }

    private void passOver(SkipReason reason) {
        passedOver.merge(reason, 1L, Long::sum);
    }

    /** What lies in a folder; empty if it is gone, or if nobody could say, which is then said of the whole region. */
    private Optional<TurnListings.Listing> listing(Path folder) {
        Observed<TurnListings.Listing> answer =
                listings.list(Path.getPathWithoutSchemeAndAuthority(folder).toString());
        if (answer instanceof Observed.Unknown<TurnListings.Listing> failed) {
            unknown = Optional.of(failed);
        }
        return answer.ifKnown();
    }
}
