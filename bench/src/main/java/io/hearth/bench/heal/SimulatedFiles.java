// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.model.StoreFile;
import java.util.List;

/** The store files of a synthetic cluster as they were written, and its DataNodes. */
interface SimulatedFiles {

    /** The store files of a region. */
    List<StoreFile> files(EncodedRegionName region);

    /** The file of this path. */
    StoreFile file(String path);

    /** The DataNodes as the NameNode reports them. */
    DataNodes dataNodes();

    /** The store folders of a region, each of which the NameNode is asked for by itself. */
    int foldersPerRegion();
}
