// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.plan.PlanRequest.SharedFileReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which regions read store files that don't lie in their own folders, as far as their folders were listed: after a split, a
 * clone or a snapshot's restore. A region whose folders were never listed can lose a local replica to another once; then it
 * is listed, and known. Files go by their names, which are unique and stay when a file goes to the archive. Not thread-safe.
 */
final class SharedFiles {

    private final Map<String, SortedMap<EncodedRegionName, FilePart>> readersByFile = new HashMap<>();
    private final Map<EncodedRegionName, SortedSet<String>> filesByReader = new HashMap<>();

    /** Takes in what a region was found to read, in place of what was known of it before. */
    void learn(EncodedRegionName region, RegionFiles files) {
        forget(region);
        for (FileRead read : files.files()) {
            if (!read.own()) {
                String name = read.file().name();
                filesByReader.computeIfAbsent(region, unused -> new TreeSet<>()).add(name);
                readersByFile.computeIfAbsent(name, unused -> new TreeMap<>()).put(region, read.part());
            }
        }
    }

    void forget(EncodedRegionName region) {
        Optional.ofNullable(filesByReader.remove(region))
                .orElse(Collections.emptySortedSet())
                .forEach(name -> {
                    SortedMap<EncodedRegionName, FilePart> readers = readersByFile.get(name);
                    if (readers != null && readers.remove(region) != null && readers.isEmpty()) {
                        readersByFile.remove(name);
                    }
                });
    }

    /** For each of the files that others read as well, by name, those of the others that are served. */
    Map<String, List<SharedFileReader>> others(
            EncodedRegionName self, RegionFiles files, Function<EncodedRegionName, Optional<ServedRegion>> latest) {
        Map<String, List<SharedFileReader>> othersByFile = new HashMap<>();
        for (FileRead read : files.files()) {
            String name = read.file().name();
            SortedMap<EncodedRegionName, FilePart> parts = new TreeMap<>(read.otherReaders());
            parts.putAll(readersByFile.getOrDefault(name, Collections.emptySortedMap()));
            parts.remove(self);
            List<SharedFileReader> others = new ArrayList<>();
            parts.forEach((reader, part) -> latest.apply(reader)
                    .ifPresent(served ->
                            others.add(new SharedFileReader(served.server().host(), part))));
            if (!others.isEmpty()) {
                othersByFile.put(name, others);
            }
        }
        return othersByFile;
    }
}
