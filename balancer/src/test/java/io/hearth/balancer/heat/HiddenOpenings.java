// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Openings of regions that nothing in the reports tells from the ones before them, so that nobody can know that their counters began anew.
 *
 * <p>Two reports that are read one after the other are of two openings on one server. No counter is lower in the second, since that opening
 * has served for longer. And both come with the same number: with none, as outside of an HMaster, or with that of the second opening, where
 * the first was over before it was reported at all. One opening whose load fell has the very same reports. Not thread-safe.
 */
final class HiddenOpenings {

    /** What such an opening made of a region's heat is forgotten after ten half-lives of the test's heat, in milliseconds. */
    private static final long MISLEADS_MS = 600_000;

    /** @param isNumberNew whether it came with another number than the report of the same server before it */
    private record Seen(ServerId server, long opening, long number, long reads, boolean isNumberNew) {

        boolean isSameReport(Seen other) {
            return server.equals(other.server) && opening == other.opening && reads == other.reads;
        }

        boolean hidesBeginningOf(Seen next) {
            return server.equals(next.server)
                    && opening != next.opening
                    && number == next.number
                    && reads <= next.reads
                    && !isNumberNew;
        }
    }

    private final Map<EncodedRegionName, Seen> lastByRegion = new HashMap<>();
    private final Map<EncodedRegionName, Long> hiddenMsByRegion = new HashMap<>();

    /**
     * A report is read.
     *
     * @param sent as it is, with the number of the opening that each region's counters are of
     * @param given with the numbers that HBase gives
     */
    void read(ServerReport sent, ServerReport given, long nowMs) {
        forgetMissing(sent);
        for (int region = 0; region < sent.regions().size(); region++) {
            read(sent.server(), sent.regions().get(region), given.regions().get(region), nowMs);
        }
    }

    private void read(ServerId server, RegionReport sent, RegionReport given, long nowMs) {
        Optional<Seen> last = Optional.ofNullable(lastByRegion.get(sent.region()));
        boolean isNumberNew = last.filter(seen -> seen.server.equals(server) && seen.number != given.openSeqNum())
                .isPresent();
        Seen now = new Seen(
                server, sent.openSeqNum(), given.openSeqNum(), sent.load().get(LoadDimension.READS), isNumberNew);
        if (last.filter(seen -> seen.opening > now.opening || seen.isSameReport(now))
                .isPresent()) {
            return;
        }
        if (last.filter(seen -> seen.hidesBeginningOf(now)).isPresent()) {
            hiddenMsByRegion.put(sent.region(), nowMs);
        }
        lastByRegion.put(sent.region(), now);
    }

    /** Where no number tells openings apart, a report without the region does: it is in each while it is open. */
    private void forgetMissing(ServerReport sent) {
        Set<EncodedRegionName> reported =
                sent.regions().stream().map(RegionReport::region).collect(Collectors.toSet());
        lastByRegion
                .entrySet()
                .removeIf(entry -> entry.getValue().server.equals(sent.server())
                        && entry.getValue().number == RegionReport.UNKNOWN
                        && !reported.contains(entry.getKey()));
    }

    /** Whether the reports that were read are misleading about this region, and nobody can know that. */
    boolean areMisleading(EncodedRegionName region, long nowMs) {
        Long hiddenMs = hiddenMsByRegion.get(region);
        return hiddenMs != null && nowMs - hiddenMs <= MISLEADS_MS;
    }
}
