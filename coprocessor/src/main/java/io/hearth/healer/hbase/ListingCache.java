// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.Observed;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The listings of one turn, each folder once: daughters share their parent's. An answer that could not be had is kept as well.
 * The regions of a table share its MOB folder, which can hold very many files: of it names alone are listed, once a minute. Not
 * thread-safe.
 */
final class ListingCache {

    /** A folder's files by name, and in their order. */
    record Listing(List<StoreFile> files, Map<String, StoreFile> fileByName) {}

    private record Names(Observed<List<String>> names, long listedMs) {}

    /** A region's new MOB file can wait for so long, and one that is gone is not found. */
    private static final long NAMES_AGE_MS = 60_000;

    private final StoreDirectories directories;
    private final Map<String, Observed<Listing>> listingByDir = new HashMap<>();
    private final Map<String, Names> namesByDir = new HashMap<>();
    private long turnMs = Long.MIN_VALUE;

    ListingCache(StoreDirectories directories) {
        this.directories = directories;
    }

    void beginTurn(long nowMs) {
        if (nowMs != turnMs) {
            listingByDir.clear();
            namesByDir.values().removeIf(names -> nowMs - names.listedMs() >= NAMES_AGE_MS);
            turnMs = nowMs;
        }
    }

    Observed<Listing> list(String dir) {
        return listingByDir.computeIfAbsent(dir, path -> listing(directories.list(path)));
    }

    /** The most folders that {@link #listAll} is to be asked for by one call. */
    int atATime() {
        return directories.foldersAtATime();
    }

    /** Whether this turn has listed the folder already. */
    boolean isListed(String dir) {
        return listingByDir.containsKey(dir);
    }

    /** Lists these folders for {@link #list}, together. */
    void listAll(Collection<String> dirs) {
        List<String> asked = List.copyOf(dirs);
        List<Observed<List<StoreFile>>> answers = directories.listAll(asked);
        for (int index = 0; index < asked.size(); index++) {
            listingByDir.put(asked.get(index), listing(answers.get(index)));
        }
    }

    /** The names in a folder with the files of many regions, as they were at most a minute ago. */
    Observed<List<String>> names(String dir) {
        Names known = namesByDir.get(dir);
        if (known != null) {
            return known.names();
        }
        Observed<List<String>> answer = directories.names(dir);
        if (answer instanceof Observed.Known<List<String>>) {
            namesByDir.put(dir, new Names(answer, turnMs));
        }
        return answer;
    }

    /** The most files that {@link #files} is to be asked for by one call. */
    int filesAtATime() {
        return directories.filesAtATime();
    }

    /** These files as they are now, in their order. */
    List<Observed<StoreFile>> files(List<String> paths) {
        return directories.locateAll(paths);
    }

    private static Observed<Listing> listing(Observed<List<StoreFile>> answer) {
        if (answer instanceof Observed.Unknown<List<StoreFile>> unknown) {
            return Observed.unknown(unknown.reason(), unknown.detail());
        }
        return answer.ifKnown()
                .map(files -> Observed.known(new Listing(
                        files, files.stream().collect(Collectors.toMap(StoreFile::name, Function.identity())))))
                .orElseGet(Observed::gone);
    }
}
