package io.hearth.healing.loop;

import io.hearth.healing.model.BlockMove;
import io.hearth.healing.model.DataNodes;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.observe.LiveDataNodes;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.StoreFiles;
import io.hearth.healing.verify.VerifiedMoves;
import java.util.List;
import java.util.Optional;

/**
 * Looks over the planner's shoulder at what the NameNode answers, so that moves which were undone after they had been verified
 * are noticed without a further question. Not thread-safe.
 */
final class ListingWatch implements StoreFiles, LiveDataNodes {

    private final StoreFiles storeFiles;
    private final LiveDataNodes dataNodes;
    private final VerifiedMoves verified = new VerifiedMoves();
    private Optional<RegionFiles> lastFiles = Optional.empty();
    private DataNodes lastNodes = DataNodes.NONE;

    ListingWatch(StoreFiles storeFiles, LiveDataNodes dataNodes) {
        this.storeFiles = storeFiles;
        this.dataNodes = dataNodes;
    }

    @Override
    public Observed<RegionFiles> list(ServedRegion region, long nowMs) {
        Observed<RegionFiles> listed = storeFiles.list(region, nowMs);
        lastFiles = listed.ifKnown();
        return listed;
    }

    @Override
    public Observed<DataNodes> list() {
        Observed<DataNodes> listed = dataNodes.list();
        lastNodes = listed.ifKnown().orElse(DataNodes.NONE);
        return listed;
    }

    VerifiedMoves verified() {
        return verified;
    }

    /** The verified moves that the listing of this region, just made, shows to be undone. */
    List<BlockMove> undone(ServedRegion region) {
        return lastFiles
                .map(files -> verified.undone(
                        files.files().stream().map(FileRead::file).toList(),
                        region.server().host(),
                        lastNodes))
                .orElse(List.of());
    }
}
