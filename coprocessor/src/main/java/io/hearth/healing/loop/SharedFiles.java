package io.hearth.healing.loop;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which regions read store files that lie with another region, as far as their folders were listed: after a split, a clone
 * or a snapshot's restore. It only steers whose replica is taken, so that what it has not seen does no harm. Not
 * thread-safe.
 */
final class SharedFiles {

    private final Map<String, SortedSet<RegionId>> readersByFile = new HashMap<>();
    private final Map<RegionId, SortedSet<String>> filesByReader = new HashMap<>();

    /** Takes in what was found in a region's folders, in place of what was known of it before. */
    void learn(RegionId region, RegionFiles files) {
        forget(region);
        SortedSet<String> names = new TreeSet<>(files.referenced());
        names.addAll(files.linked());
        if (!names.isEmpty()) {
            filesByReader.put(region, names);
            names.forEach(name -> readersByFile
                    .computeIfAbsent(name, unused -> new TreeSet<>())
                    .add(region));
        }
    }

    void forget(RegionId region) {
        Optional.ofNullable(filesByReader.remove(region))
                .orElse(Collections.emptySortedSet())
                .forEach(name -> {
                    SortedSet<RegionId> readers = readersByFile.get(name);
                    if (readers != null && readers.remove(region) && readers.isEmpty()) {
                        readersByFile.remove(name);
                    }
                });
    }

    /** For each of these files that others read as well, the hosts of those others' servers. */
    SortedMap<String, SortedSet<String>> sharers(RegionFiles files, Function<RegionId, Optional<ServedRegion>> latest) {
        SortedMap<String, SortedSet<String>> hostsByFile = new TreeMap<>();
        for (StoreFile file : files.files()) {
            SortedSet<String> hosts = new TreeSet<>();
            readersByFile.getOrDefault(file.name(), Collections.emptySortedSet()).stream()
                    .flatMap(reader -> latest.apply(reader).stream())
                    .forEach(reader -> hosts.add(reader.server().host()));
            if (!hosts.isEmpty()) {
                hostsByFile.put(file.name(), hosts);
            }
        }
        return hostsByFile;
    }
}
