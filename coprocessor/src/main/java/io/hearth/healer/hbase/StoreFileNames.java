package io.hearth.healer.hbase;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/** What HBase's names in a store folder mean: store file, reference file ({@code StoreFileInfo}) or link ({@code HFileLink}). */
final class StoreFileNames {

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
        String parent = StoreFileInfo.getReferredToRegionAndFile(file.getName()).getFirst();
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
