// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

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
}
