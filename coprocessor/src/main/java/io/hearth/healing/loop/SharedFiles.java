package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.FilePart;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.plan.OtherReader;
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

    private final Map<String, SortedMap<RegionId, FilePart>> readersByFile = new HashMap<>();
    private final Map<RegionId, SortedSet<String>> filesByReader = new HashMap<>();

    /** Takes in what a region was found to read, in place of what was known of it before. */
    void learn(RegionId region, RegionFiles files) {
        forget(region);
        for (FileRead read : files.files()) {
            if (!read.own()) {
                String name = read.file().name();
                filesByReader.computeIfAbsent(region, unused -> new TreeSet<>()).add(name);
                readersByFile.computeIfAbsent(name, unused -> new TreeMap<>()).put(region, read.part());
            }
        }
    }

    void forget(RegionId region) {
        Optional.ofNullable(filesByReader.remove(region))
                .orElse(Collections.emptySortedSet())
                .forEach(name -> {
                    SortedMap<RegionId, FilePart> readers = readersByFile.get(name);
                    if (readers != null && readers.remove(region) != null && readers.isEmpty()) {
                        readersByFile.remove(name);
                    }
                });
    }

    /** For each of the files that others read as well, by name, those of the others that are served. */
    Map<String, List<OtherReader>> others(
            RegionId self, RegionFiles files, Function<RegionId, Optional<ServedRegion>> latest) {
        Map<String, List<OtherReader>> othersByFile = new HashMap<>();
        for (FileRead read : files.files()) {
            String name = read.file().name();
            SortedMap<RegionId, FilePart> parts = new TreeMap<>(read.otherReaders());
            parts.putAll(readersByFile.getOrDefault(name, Collections.emptySortedMap()));
            parts.remove(self);
            List<OtherReader> others = new ArrayList<>();
            parts.forEach((reader, part) -> latest.apply(reader)
                    .ifPresent(
                            served -> others.add(new OtherReader(served.server().host(), part))));
            if (!others.isEmpty()) {
                othersByFile.put(name, others);
            }
        }
        return othersByFile;
    }
}
