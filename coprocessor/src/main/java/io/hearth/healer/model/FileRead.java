// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import io.hearth.common.model.EncodedRegionName;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

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
public record FileRead(StoreFile file, FilePart part, boolean own, SortedMap<EncodedRegionName, FilePart> otherReaders)
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
