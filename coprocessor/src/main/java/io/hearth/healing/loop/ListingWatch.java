package io.hearth.healing.loop;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.verify.VerifiedMoves;
import io.hearth.healing.verify.VerifiedMoves.Verified;
import java.util.List;
import java.util.Optional;

/**
 * Looks over the planner's shoulder at what the NameNode answers, so that moves which somebody undid after they had been verified
 * are noticed without a further listing. Not thread-safe.
 */
final class ListingWatch implements StoreFiles {

    private final StoreFiles storeFiles;
    private final KnownDataNodes dataNodes;
    private final VerifiedMoves verified = new VerifiedMoves();
    private Optional<RegionFiles> lastFiles = Optional.empty();

    ListingWatch(StoreFiles storeFiles, KnownDataNodes dataNodes) {
        this.storeFiles = storeFiles;
        this.dataNodes = dataNodes;
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        lastFiles = Optional.empty();
        Observed<RegionFiles> listed = storeFiles.list(region, nowMs);
        lastFiles = listed.ifKnown();
        return listed;
    }

    VerifiedMoves verified() {
        return verified;
    }

    /** The verified moves that the listing of this region, just made, shows to be undone. */
    List<BlockMove> undone(ServedRegion region, long nowMs) {
        List<Verified> missing = lastFiles
                .map(files -> verified.takeMissing(
                        files.files().stream().map(FileRead::file).toList(),
                        region.server().host()))
                .orElse(List.of());
        return missing.stream()
                .filter(known -> wasWell(known.move(), known.atMs(), nowMs))
                .map(Verified::move)
                .toList();
    }

    /**
     * Whether a move's target and its volumes were well since then, by what the NameNode says now: a list from before the replica
     * went could not tell.
     */
    boolean wasWell(BlockMove move, long sinceMs, long nowMs) {
        return dataNodes.noOlderThan(1, nowMs) instanceof Observed.Known
                && dataNodes.health().isWellSince(move.target().id(), sinceMs);
    }
}
