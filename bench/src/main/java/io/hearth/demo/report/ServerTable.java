// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import io.hearth.testkit.measure.LoadSkew;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.ServerRates;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * All servers over one interval, with how uneven their reads and writes are.
 *
 * @param title what has happened to the cluster by then
 * @param rows one for each server; immutable
 */
public record ServerTable(String title, List<ServerTableRow> rows) {

    /** The order in which hosts are listed, host2 before host10: by length of the name, then by the name: the order of the numbers when the names differ by a number only. */
    public static final Comparator<String> HOST_ORDER =
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    public ServerTable {
        rows = List.copyOf(rows);
    }

    /** Reads of the busiest server over the average. */
    public OptionalDouble readSkew() {
        return LoadSkew.maxOverMean(
                rows.stream().map(ServerTableRow::readsPerSecond).toList());
    }

    /** Writes of the busiest server over the average. */
    public OptionalDouble writeSkew() {
        return LoadSkew.maxOverMean(
                rows.stream().map(ServerTableRow::writesPerSecond).toList());
    }

    /**
     * One server of the cluster over one interval, as the tables show it.
     *
     * @param host host of the RegionServer
     * @param regions regions of the table that it serves
     * @param readsPerSecond over the interval
     * @param writesPerSecond over the interval
     * @param storeBytes length of its regions' store files, by the NameNode
     * @param locality share of those bytes that lie on its own host, by the NameNode, 0 to 1
     * @param reportedLocality the same as the RegionServer reports it, 0 to 1
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
                SortedMap<String, ServerRates> ratesByHost,
                ClusterLoadReport report,
                LocalitySnapshot localitySnapshot) {
            SortedMap<String, Double> localityByHost = localitySnapshot.localityByHost();
            SortedMap<String, Long> bytesByHost = localitySnapshot.bytesByHost();
            return ratesByHost.values().stream()
                    .sorted(Comparator.comparing(ServerRates::host, HOST_ORDER))
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
}
