package io.hearth.healing.model;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What lies in a region's store folders. Immutable; sorted.
 *
 * @param files the region's own store files
 * @param referenced names of store files that lie with a parent region and are referred to by reference files here
 * @param linked names of store files that lie with another region or in the archive and are linked to from here
 */
public record RegionFiles(List<StoreFile> files, SortedSet<String> referenced, SortedSet<String> linked) {

    public RegionFiles {
        files = files.stream().sorted().toList();
        referenced = new TreeSet<>(referenced);
        linked = new TreeSet<>(linked);
    }

    /** Files without references and links. */
    public static RegionFiles of(List<StoreFile> files) {
        return new RegionFiles(files, new TreeSet<>(), new TreeSet<>());
    }
}
