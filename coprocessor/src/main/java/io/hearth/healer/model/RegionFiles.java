// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.common.model.EncodedRegionName;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Every store file that a region reads, wherever it lies. Immutable; sorted; each file once.
 *
 * @param skipped how many files of its folders were not followed, by reason
 * @param pinned whether its replicas are pinned to favoured nodes, so that none of them may go
 */
public record RegionFiles(List<FileRead> files, Map<SkipReason, Long> skipped, boolean pinned) {

    public RegionFiles {
        SortedMap<String, FileRead> readByPath = new TreeMap<>();
        files.forEach(read -> readByPath.merge(read.file().path(), read, FileRead::with));
        files = List.copyOf(readByPath.values());
        EnumMap<SkipReason, Long> sorted = new EnumMap<>(SkipReason.class);
        sorted.putAll(skipped);
        skipped = Collections.unmodifiableMap(sorted);
    }

    /** Files of the region's own, and no others. */
    public static RegionFiles of(List<StoreFile> files) {
        return new RegionFiles(files.stream().map(FileRead::own).toList(), Map.of(), false);
    }

    /**
     * A store file that a region reads: its own, or one that lies elsewhere and that a reference file or an HFileLink in its
     * folders points at. Immutable; ordered by the file.
     *
     * @param file where the bytes are
     * @param part how much of it the region reads
     * @param own whether it lies in the region's own folders
     * @param otherReaders regions of which it is known without asking for their folders that they read it as well, and how much
     *     of it
     */
    public record FileRead(
            StoreFile file, FilePart part, boolean own, SortedMap<EncodedRegionName, FilePart> otherReaders)
            implements Comparable<FileRead> {

        public FileRead {
            otherReaders = Collections.unmodifiableSortedMap(new TreeMap<>(otherReaders));
        }

        /** A file of the region's own that no other is known to read. */
        public static FileRead own(StoreFile file) {
            return new FileRead(file, FilePart.WHOLE, true, Collections.emptySortedMap());
        }

        /** The same file with the part of {@code other} as well: two references to both halves read it all. */
        FileRead with(FileRead other) {
            return new FileRead(file, part.with(other.part), own || other.own, otherReaders);
        }

        @Override
        public int compareTo(FileRead other) {
            return file.compareTo(other.file);
        }
    }

    /**
     * How much of a store file a region reads: after a split each daughter reads one half of the parent's files until its own
     * compaction. Which bytes these are only the file itself could say. HBase takes the halves by length for the locality that
     * it reports ({@code StoreFileInfo.computeRefFileHDFSBlockDistribution}), and so do we; the block in the middle is in both.
     */
    public enum FilePart {
        /** All of it. */
        WHOLE,
        /** The keys before the split: a bottom reference. */
        FIRST_HALF,
        /** The keys from the split on: a top reference. */
        SECOND_HALF;

        /** Whether some byte of this block lies in this part. */
        public boolean covers(long offsetBytes, long lengthBytes, long fileBytes) {
            return switch (this) {
                case WHOLE -> true;
                case FIRST_HALF -> offsetBytes < fileBytes / 2;
                case SECOND_HALF -> offsetBytes + lengthBytes > fileBytes / 2;
            };
        }

        /** The part that covers both. */
        public FilePart with(FilePart other) {
            return this == other ? this : WHOLE;
        }
    }
}
