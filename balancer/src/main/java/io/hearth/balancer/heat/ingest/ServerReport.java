// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import io.hearth.common.model.ServerId;
import java.util.List;

/**
 * One report of one RegionServer. Immutable.
 *
 * @param reportTimeMs when the report was made, in milliseconds since 1970 by the server's clock
 * @param regions every region that was open there
 */
public record ServerReport(ServerId server, long reportTimeMs, List<RegionReport> regions) {

    public ServerReport {
        regions = List.copyOf(regions);
    }
}
