// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The reports of a whole cluster, one after another: every report is 3 s newer than the last of its server, every counter
 * has risen by what its region does, and, as from a real master, every name in it is an object of its own.
 */
final class SyntheticServerReports {

    static final int SERVERS = 1_000;
    static final int REGIONS = 100_000;

    private static final long FIRST_REPORT_MS = 1_700_000_000_000L;
    private static final long INTERVAL_MS = 3_000;
    private static final long DAY_MS = 86_400_000;

    private final int servers;
    private final int regions;
    private long round;

    SyntheticServerReports(int servers, int regions) {
        this.servers = servers;
        this.regions = regions;
    }

    /** One report of each server. */
    Collection<ServerReport> next() {
        round++;
        List<ServerReport> reports = new ArrayList<>(servers);
        for (int server = 0; server < servers; server++) {
            List<RegionReport> ofServer = new ArrayList<>();
            for (int region = server; region < regions; region += servers) {
                ofServer.add(report(region));
            }
            ServerId id = new ServerId("host-" + server + ".example.org", 16020, FIRST_REPORT_MS);
            reports.add(new ServerReport(id, FIRST_REPORT_MS + round * INTERVAL_MS, ofServer));
        }
        return reports;
    }

    /** The time of the last reports. */
    long nowMs() {
        return FIRST_REPORT_MS + round * INTERVAL_MS;
    }

    private RegionReport report(int region) {
        long count = round * (1 + region % 97);
        return new RegionReport(
                new EncodedRegionName(String.format("%032x", region * 0x9E3779B97F4A7C15L)),
                new TableId("table-" + region % 50),
                Optional.of(new RegionNameInfo(String.format("row-%012d", region), FIRST_REPORT_MS - DAY_MS)),
                region,
                ReportedLoad.NONE
                        .with(LoadDimension.READS, count)
                        .with(LoadDimension.WRITES, count * 2)
                        .with(LoadDimension.STORE_SIZE, 1L << 30)
                        .with(LoadDimension.MEMSTORE, 1L << 26),
                0.5);
    }
}
