// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One of the hottest regions. Immutable.
 *
 * @param because the dimension in which it is hottest
 * @param share its load in that dimension as plans count it, in multiples of a mean server's fair share
 * @param recent its reads and writes a second at the last samples, oldest first; empty ones are not known
 * @param pin why it stays where it is, a cool-down among them; empty where nothing is remembered of it
 * @param why why it was or was not moved, as one sentence
 */
public record HotRegionRow(
        RegionState region,
        ServerId server,
        LoadDimension because,
        double share,
        List<OptionalDouble> recent,
        Optional<PinnedRegion> pin,
        String why) {

    public HotRegionRow {
        recent = List.copyOf(recent);
    }

    /** Its load in this dimension as it is, not weighed by its table. */
    public double load(LoadDimension dimension) {
        return region.measuredLoad().get(dimension);
    }
}
