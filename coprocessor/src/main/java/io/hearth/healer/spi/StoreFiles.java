// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.ServedRegion;

/** The store files that a region reads, with the blocks and their locations. */
public interface StoreFiles {

    /**
     * Asks the NameNode, with one listing for each store folder and for each other folder in which files lie that the
     * region's references and links point at. Gone if the region's folders or its table are.
     *
     * @param nowMs the time of this turn: a folder is listed once in a turn, for however many regions. What one turn has
     *     listed is not used in the next, since moves may have ended in between.
     */
    Observed<RegionFiles> list(ServedRegion region, long nowMs);
}
