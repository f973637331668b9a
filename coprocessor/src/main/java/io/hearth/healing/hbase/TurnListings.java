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
 * The listings of one turn, each folder once: daughters share their parent's, and the regions of a table its MOB folder. An
 * answer that could not be had is kept as well. Not thread-safe.
 */
final class TurnListings {

    /** A folder's files by name, and in their order. */
    record Listing(List<StoreFile> files, Map<String, StoreFile> fileByName) {}

    private final StoreFolders folders;
    private final Map<String, Observed<Listing>> listingByFolder = new HashMap<>();
    private long turnMs = Long.MIN_VALUE;

    TurnListings(StoreFolders folders) {
        this.folders = folders;
    }

    void beginTurn(long nowMs) {
        if (nowMs != turnMs) {
            listingByFolder.clear();
            turnMs = nowMs;
        }
    }

    Observed<Listing> list(String folder) {
        return listingByFolder.computeIfAbsent(folder, path -> listing(folders.list(path)));
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
