package io.hearth.demo.report;

import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.ServerRates;
import io.hearth.demo.measure.ServerReport;
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
public record ServerRow(
        String host,
        int regions,
        double readsPerSecond,
        double writesPerSecond,
        long storeBytes,
        double locality,
        double reportedLocality) {

    /** A row for each server that has rates, in the hosts' order. */
    public static List<ServerRow> of(
            SortedMap<String, ServerRates> ratesByHost, ClusterReport report, LocalityCensus census) {
        SortedMap<String, Double> localityByHost = census.localityByHost();
        SortedMap<String, Long> bytesByHost = census.bytesByHost();
        return ratesByHost.values().stream()
                .sorted(Comparator.comparing(ServerRates::host, HostOrder.BY_NUMBER))
                .map(rates -> {
                    ServerReport server = report.serversByHost().get(rates.host());
                    return new ServerRow(
                            rates.host(),
                            census.servedBy(rates.host()).size(),
                            rates.readsPerSecond(),
                            rates.writesPerSecond(),
                            bytesByHost.getOrDefault(rates.host(), 0L),
                            localityByHost.getOrDefault(rates.host(), 1.0),
                            server == null ? Double.NaN : server.reportedLocality());
                })
                .toList();
    }
}
