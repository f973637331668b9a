package io.hearth.healer.hbase;

import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.mob.MobFileName;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.MD5Hash;

/**
 * The MOB files of one region. All regions of a table keep theirs in one folder for each family. A file's name has the hash
 * of a start key and, in today's HBase, the region that wrote it ({@code MobFileName}): that region alone reads it, as long
 * as it lives. After a split or a merge, in a clone, and under older names nothing in the name tells who reads it.
 */
final class MobFiles {

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
