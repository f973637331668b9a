package io.hearth.healing.hbase;

import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.observe.StoreFolders;
import io.hearth.healing.observe.UnknownReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * A region's store files by HBase's layout of folders: one listing for each column family of the table's descriptor.
 * References and links are known by their names ({@code StoreFileInfo}, {@code HFileLink}); hidden files are passed over.
 * With the file-based store file tracker a folder can also hold files that are not in use; they are healed like the others.
 */
final class RegionFolders implements StoreFiles {

    private final StoreFolders folders;
    private final TableDescriptors descriptors;
    private final Path rootFolder;

    RegionFolders(StoreFolders folders, TableDescriptors descriptors, Path rootFolder) {
        this.folders = folders;
        this.descriptors = descriptors;
        this.rootFolder = rootFolder;
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region) {
        TableName table = HBaseIds.tableName(region.table());
        try {
            TableDescriptor descriptor = descriptors.get(table);
            return descriptor == null
                    ? Observed.gone()
                    : list(
                            descriptor,
                            CommonFSUtils.getRegionDir(
                                    rootFolder, table, region.region().encodedName()));
        } catch (IOException unreadable) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "descriptor of " + table + ": " + unreadable);
        }
    }

    private Observed<RegionFiles> list(TableDescriptor descriptor, Path regionFolder) {
        List<StoreFile> files = new ArrayList<>();
        boolean anyFolder = false;
        for (byte[] family : descriptor.getColumnFamilyNames()) {
            String folder =
                    new Path(regionFolder, Bytes.toString(family)).toUri().getPath();
            Observed<List<StoreFile>> listed = folders.list(folder);
            if (listed instanceof Observed.Unknown<List<StoreFile>> unknown) {
                return Observed.unknown(unknown.reason(), unknown.detail());
            }
            anyFolder |= listed.ifKnown().isPresent();
            listed.ifKnown().ifPresent(files::addAll);
        }
        return anyFolder ? Observed.known(sorted(files)) : Observed.gone();
    }

    static RegionFiles sorted(List<StoreFile> files) {
        List<StoreFile> own = new ArrayList<>();
        SortedSet<String> referenced = new TreeSet<>();
        SortedSet<String> linked = new TreeSet<>();
        for (StoreFile file : files) {
            String name = file.name();
            if (HFileLink.isHFileLink(name)) {
                linked.add(HFileLink.getReferencedHFileName(name));
            } else if (StoreFileInfo.isReference(name)) {
                referenced.add(referencedFile(name));
            } else if (!name.startsWith(".")) {
                own.add(file);
            }
        }
        return new RegionFiles(own, referenced, linked);
    }

    /** {@code <file or link>.<parent region>}: the name of the store file at the end of it. */
    private static String referencedFile(String referenceName) {
        String target = referenceName.substring(0, referenceName.lastIndexOf('.'));
        return HFileLink.isHFileLink(target) ? HFileLink.getReferencedHFileName(target) : target;
    }
}
