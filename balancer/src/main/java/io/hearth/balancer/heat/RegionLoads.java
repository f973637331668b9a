// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadVector;
import java.util.List;
import java.util.Optional;

/** Tells the load of each region as plans count it: per second and in bytes, weighted by its table. */
@FunctionalInterface
public interface RegionLoads {

    /** The load of this region now; empty where it is not known. */
    Optional<LoadVector> load(EncodedRegionName region);

    /** The same of the regions of a report, in its order. */
    default List<Optional<LoadVector>> loads(ServerReport report) {
        return report.regions().stream().map(region -> load(region.region())).toList();
    }
}
