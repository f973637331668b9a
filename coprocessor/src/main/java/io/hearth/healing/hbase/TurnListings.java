package io.hearth.healing.hbase;

import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFolders;
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
final class TurnListings {

    /** A folder's files by name, and in their order. */
    record Listing(List<StoreFile> files, Map<String, StoreFile> fileByName) {}

    private record Names(Observed<List<String>> names, long listedMs) {}

    /** A region's new MOB file can wait for so long, and one that is gone is not found. */
    private static final long NAMES_AGE_MS = 60_000;

    private final StoreFolders folders;
    private final Map<String, Observed<Listing>> listingByFolder = new HashMap<>();
    private final Map<String, Names> namesByFolder = new HashMap<>();
    private long turnMs = Long.MIN_VALUE;

    TurnListings(StoreFolders folders) {
        this.folders = folders;
    }

    void beginTurn(long nowMs) {
        if (nowMs != turnMs) {
            listingByFolder.clear();
            namesByFolder.values().removeIf(names -> nowMs - names.listedMs() >= NAMES_AGE_MS);
            turnMs = nowMs;
        }
    }

    Observed<Listing> list(String folder) {
        return listingByFolder.computeIfAbsent(folder, path -> listing(folders.list(path)));
    }

    /** The names in a folder with the files of many regions, as they were at most a minute ago. */
    Observed<List<String>> names(String folder) {
        Names known = namesByFolder.get(folder);
        if (known != null) {
            return known.names();
        }
        Observed<List<String>> answer = folders.names(folder);
        if (answer instanceof Observed.Known<List<String>>) {
            namesByFolder.put(folder, new Names(answer, turnMs));
        }
        return answer;
    }

    /** One file as it is now. */
    Observed<StoreFile> file(String path) {
        return folders.locate(path);
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
