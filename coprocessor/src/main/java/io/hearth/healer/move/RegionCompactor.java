// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.ServedRegion;
import java.util.Optional;

/** Asks for major compactions. Thread-safe. */
@FunctionalInterface
public interface RegionCompactor {

    /**
     * Has the region's server queue a major compaction of this column family; returns once it has been asked, which may take a
     * while. Never throws.
     *
     * @return why it could not be asked for; empty if it was
     */
    Optional<String> compact(ServedRegion region, String family);
}
