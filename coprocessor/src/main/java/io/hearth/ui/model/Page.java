// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.healer.model.ServedRegion.ReportedLocality;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the page shows at one time. Immutable.
 *
 * @param servers sorted by rack and name
 * @param balance of reads, writes and store size
 * @param hottest the hottest regions first
 * @param localBytes bytes of all blocks that are local to the server that reads them
 * @param blockBytes bytes of all blocks
 * @param unknownHeat how many regions' heat is not known
 */
public record Page(
        PageInput input,
        List<ServerRow> servers,
        List<BalanceSummary> balance,
        List<HotRegionRow> hottest,
        RegionTreemap treemap,
        int regions,
        long localBytes,
        long blockBytes,
        int unknownHeat) {

    public Page {
        servers = List.copyOf(servers);
        balance = List.copyOf(balance);
        hottest = List.copyOf(hottest);
    }

    public long remoteBytes() {
        return Math.max(0, blockBytes - localBytes - localNotReportedBytes());
    }

    /** Bytes that are reported remote, of regions that the NameNode says are local: nothing is left to do for them. */
    private long localNotReportedBytes() {
        return input.healing().localNotReported().stream()
                .flatMap(region -> region.reported().stream())
                .mapToLong(ReportedLocality::nonLocalBytes)
                .sum();
    }

    /** How long it takes until everything is local at the rate of the last minutes; empty where nothing moves. */
    public OptionalLong estimatedHealMs() {
        double rate = input.healing().verifiedBytesPerSecond().orElse(0);
        if (remoteBytes() == 0) {
            return OptionalLong.of(0);
        }
        return rate > 0 ? OptionalLong.of((long) (remoteBytes() * 1_000.0 / rate)) : OptionalLong.empty();
    }
}
