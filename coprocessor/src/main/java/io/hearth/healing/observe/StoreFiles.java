package io.hearth.healing.observe;

import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;

/** What lies in a region's store folders, with the blocks and their locations. */
public interface StoreFiles {

    /** Asks the NameNode, with one listing for each store folder. Gone if the region's folders or its table are. */
    Observed<RegionFiles> list(ServedRegion region);
}
