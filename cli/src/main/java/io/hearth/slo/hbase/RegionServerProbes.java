// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.slo.probe.ProbeSender.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Gets and puts of a canary region of each RegionServer, and gets of rows of tables of the operator's. A server that has died stays a
 * target until its canary region is served elsewhere, as a user's region would be; a server without a canary region is none. Thread-safe.
 */
final class RegionServerProbes {

    private static final byte[] QUALIFIER = Bytes.toBytes("probe");
    private static final byte[] VALUE = Bytes.toBytes("hearth slo probe");

    private final AsyncConnection connection;
    private final TableName canary;
    private final List<TableName> tables;
    private final Duration limit;
    private final AsyncTable<?> canaryTable;
    private final PinnedRequests ofCanary;
    private final PinnedRequests ofTables;
    private final Map<String, Integer> turnByServer = new ConcurrentHashMap<>();
    private final FirstRows rows = new FirstRows(this::table);
    private volatile RegionsByServer canaryRegions = RegionsByServer.NONE;
    private volatile RegionsByServer tableRegions = RegionsByServer.NONE;
    private volatile boolean outdated = true;

    /**
     * @param connection neither gives up nor tries again by itself
     * @param tables of the operator's, of which rows are read
     */
    RegionServerProbes(AsyncConnection connection, TableName canary, List<TableName> tables, Duration limit) {
        this.connection = connection;
        this.canary = canary;
        this.tables = tables;
        this.limit = limit;
        this.canaryTable = table(canary);
        this.ofCanary = new PinnedRequests(
                limit, (server, region) -> canaryRegions.of(server).contains(region), this::wrongServer);
        this.ofTables = new PinnedRequests(
                limit, (server, region) -> tableRegions.of(server).contains(region), this::wrongServer);
    }

    /** One try, which ends a little after the probe was given up. */
    private AsyncTable<?> table(TableName name) {
        long ms = limit.toMillis() + 500;
        return connection
                .getTableBuilder(name)
                .setOperationTimeout(ms, TimeUnit.MILLISECONDS)
                .setRpcTimeout(ms, TimeUnit.MILLISECONDS)
                .setReadRpcTimeout(ms, TimeUnit.MILLISECONDS)
                .setWriteRpcTimeout(ms, TimeUnit.MILLISECONDS)
                .setScanTimeout(ms, TimeUnit.MILLISECONDS)
                .setMaxRetries(0)
                .build();
    }

    private void wrongServer() {
        outdated = true;
    }

    /** Whether a region was not where it was said to be since the last {@link #refresh}. */
    boolean isOutdated() {
        return outdated;
    }

    /**
     * Reads from {@code hbase:meta} where the regions are. What was known before holds, and is outdated, if that fails. Without
     * {@code hbase:meta} the connection forgets nothing either: clients that know where a region is are served then, and so are probes.
     */
    CompletableFuture<Void> refresh() {
        boolean wasOutdated = outdated;
        outdated = false;
        CompletableFuture<Void> all = wasOutdated
                ? locations(List.of(canary))
                        .thenAccept(metaAnswers -> forgetLocations())
                        .thenCompose(forgotten -> readLocations())
                : readLocations();
        return all.whenComplete((nothing, failure) -> {
            if (failure != null) {
                outdated = true;
            }
        });
    }

    private CompletableFuture<Void> readLocations() {
        return locations(List.of(canary))
                .thenAccept(locations -> canaryRegions = RegionsByServer.of(locations))
                .thenCombine(locations(tables), (nothing, locations) -> locations)
                .thenAccept(this::takeTables);
    }

    /**
     * Of the connection's cache. A server that a region leaves says where it goes, with a sequence number; locations of a whole table are
     * read without one, and so replace none that has one.
     */
    private void forgetLocations() {
        connection.getRegionLocator(canary).clearRegionLocationCache();
        tables.forEach(table -> connection.getRegionLocator(table).clearRegionLocationCache());
    }

    private CompletableFuture<List<HRegionLocation>> locations(List<TableName> ofTables) {
        CompletableFuture<List<HRegionLocation>> all = CompletableFuture.completedFuture(List.of());
        for (TableName table : ofTables) {
            all = all.thenCombine(
                    connection.getRegionLocator(table).getAllRegionLocations(),
                    (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        }
        return all;
    }

    private void takeTables(List<HRegionLocation> locations) {
        tableRegions = RegionsByServer.of(locations);
        rows.keepOnly(locations.stream().map(HRegionLocation::getRegion).toList());
    }

    Set<String> canaryServers() {
        return canaryRegions.servers();
    }

    Set<String> tableServers() {
        return tableRegions.servers();
    }

    /** The row may be missing, before the first put or after a day without one, but it is never another. */
    CompletableFuture<Answer> get(String server) {
        return ofCanary(server, row -> canaryTable
                .get(new Get(row).addColumn(CanaryTable.FAMILY, QUALIFIER))
                .thenApply(RegionServerProbes::isRight));
    }

    private static boolean isRight(Result result) {
        return result.isEmpty() || Bytes.equals(result.getValue(CanaryTable.FAMILY, QUALIFIER), VALUE);
    }

    CompletableFuture<Answer> put(String server) {
        return ofCanary(server, row -> canaryTable
                .put(new Put(row).addColumn(CanaryTable.FAMILY, QUALIFIER, VALUE))
                .thenApply(done -> true));
    }

    /** A request for a row. */
    private interface RowRequest {
        CompletableFuture<Boolean> send(byte[] row);
    }

    private CompletableFuture<Answer> ofCanary(String server, RowRequest request) {
        List<RegionInfo> regions = canaryRegions.of(server);
        if (regions.isEmpty()) {
            return CompletableFuture.completedFuture(Answer.NOT_ON_TARGET);
        }
        RegionInfo region = regions.get(0);
        byte[] row = CanaryTable.row(region);
        return ofCanary.send(server, region, connection.getRegionLocator(canary), row, () -> request.send(row));
    }

    /** A get of a row of the next of this server's regions of the tables: the same row of a region each time, once it is known. */
    CompletableFuture<Answer> getRow(String server) {
        List<RegionInfo> regions = tableRegions.of(server);
        if (regions.isEmpty()) {
            return CompletableFuture.completedFuture(Answer.NOT_ON_TARGET);
        }
        RegionInfo region = regions.get(Math.floorMod(turnByServer.merge(server, 1, Integer::sum), regions.size()));
        byte[] row = rows.of(region);
        return ofTables.send(
                server, region, connection.getRegionLocator(region.getTable()), row, () -> table(region.getTable())
                        .get(new Get(row))
                        .thenApply(result -> true));
    }
}
