package io.hearth.healer.core;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.FileRead;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.StoreFiles;
import io.hearth.healer.verify.VerifiedMoves;
import io.hearth.healer.verify.VerifiedMoves.Verified;
import java.util.List;
import java.util.Optional;

/**
 * Looks over the planner's shoulder at what the NameNode answers, so that moves which somebody undid after they had been verified
 * are noticed without a further listing. Not thread-safe.
 */
final class RevertDetector implements StoreFiles {

    private final StoreFiles storeFiles;
    private final DataNodeTracker dataNodes;
    private final VerifiedMoves verified = new VerifiedMoves();
    private Optional<RegionFiles> lastFiles = Optional.empty();

    RevertDetector(StoreFiles storeFiles, DataNodeTracker dataNodes) {
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
    List<BlockMove> revertedAfterVerify(ServedRegion region, long nowMs) {
        List<Verified> missing = lastFiles
                .map(files -> verified.takeMissing(
                        files.files().stream().map(FileRead::file).toList(),
                        region.server().host()))
                .orElse(List.of());
        return missing.stream()
                .filter(known -> wasHealthy(known.move(), known.atMs(), nowMs))
                .map(Verified::move)
                .toList();
    }

    /**
     * Whether a move's target and its volumes were well since then, by what the NameNode says now: a list from before the replica
     * went could not tell.
     */
    boolean wasHealthy(BlockMove move, long sinceMs, long nowMs) {
        return dataNodes.noOlderThan(1, nowMs) instanceof Observed.Known
                && dataNodes.health().isHealthySince(move.target().id(), sinceMs);
    }
}
