// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.common.model.ServerId;
import java.util.List;

/**
 * One RegionServer with what it reported last. Immutable.
 *
 * @param rack empty where it is not known
 * @param capacity how much load it can take against the others, above 0
 * @param isDraining whether it is decommissioned or on the draining list: it has no fair share, and plans do not count it
 */
public record ServerStatus(
        ServerId server, String rack, double capacity, List<RegionStatus> regions, boolean isDraining) {

    /** One that serves as ever. */
    public ServerStatus(ServerId server, String rack, double capacity, List<RegionStatus> regions) {
        this(server, rack, capacity, regions, false);
    }

    public ServerStatus {
        regions = List.copyOf(regions);
    }
}
