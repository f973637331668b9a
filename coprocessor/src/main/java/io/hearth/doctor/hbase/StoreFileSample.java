// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/** The largest store file of a region, of which the trailer alone is read: how many cells it has and how many bytes. Stateless. */
final class StoreFileSample {

    private StoreFileSample() {}

    /** @throws IOException if the files can't be read, as by a user that has no right to */
    static ProbeResult<Long> meanCellBytes(Configuration conf, TableName table, String encodedRegionName)
            throws IOException {
        Path root = CommonFSUtils.getRootDir(conf);
        FileSystem fs = root.getFileSystem(conf);
        Optional<FileStatus> largest = largest(fs, new Path(CommonFSUtils.getTableDir(root, table), encodedRegionName));
        return largest.isPresent()
                ? ofFile(fs, largest.get().getPath(), conf)
                : ProbeResult.unknown("its largest region has no store file of its own");
    }

    private static Optional<FileStatus> largest(FileSystem fs, Path region) throws IOException {
        FileStatus[] files = fs.globStatus(new Path(region, "[!.]*/*"), StoreFileInfo::isHFile);
        return files == null
                ? Optional.empty()
                : Arrays.stream(files).filter(FileStatus::isFile).max(Comparator.comparingLong(FileStatus::getLen));
    }

    static ProbeResult<Long> ofFile(FileSystem fs, Path file, Configuration conf) throws IOException {
        try (HFile.Reader reader = HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf)) {
            long cells = reader.getEntries();
            return cells == 0
                    ? ProbeResult.unknown("its largest store file has no cell")
                    : ProbeResult.known(Math.max(1, reader.getTrailer().getTotalUncompressedBytes() / cells));
        }
    }
}
