// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.ServerRates;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;

/**
 * One server of the cluster over one interval, as the tables show it.
 *
 * @param host host of the RegionServer
 * @param regions regions of the table that it serves
 * @param readsPerSecond over the interval
 * @param writesPerSecond over the interval
 * @param storeBytes length of its regions' store files, by the NameNode
 * @param locality share of those bytes that lie on its own host, by the NameNode, 0 to 1
 * @param reportedLocality the same in the RegionServer's own words, 0 to 1
 */
public record ServerTableRow(
        String host,
        int regions,
        double readsPerSecond,
        double writesPerSecond,
        long storeBytes,
        double locality,
        double reportedLocality) {

    /** A row for each server that has rates, in the hosts' order. */
    public static List<ServerTableRow> of(
            SortedMap<String, ServerRates> ratesByHost, ClusterLoadReport report, LocalitySnapshot localitySnapshot) {
        SortedMap<String, Double> localityByHost = localitySnapshot.localityByHost();
        SortedMap<String, Long> bytesByHost = localitySnapshot.bytesByHost();
        return ratesByHost.values().stream()
                .sorted(Comparator.comparing(ServerRates::host, HostOrder.BY_NUMBER))
                .map(rates -> {
                    ServerLoadReport server = report.serversByHost().get(rates.host());
                    return new ServerTableRow(
                            rates.host(),
                            localitySnapshot.servedBy(rates.host()).size(),
                            rates.readsPerSecond(),
                            rates.writesPerSecond(),
                            bytesByHost.getOrDefault(rates.host(), 0L),
                            localityByHost.getOrDefault(rates.host(), 1.0),
                            server == null ? Double.NaN : server.reportedLocality());
                })
                .toList();
    }
}
