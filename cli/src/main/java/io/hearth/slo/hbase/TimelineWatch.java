// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.probe.TimelineProber;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.io.IOUtils;

/**
 * Makes timeline-consistent gets of rows of the operator's tables whose regions have replicas. The primary-call timeout is a client's and
 * not a request's, so there is a connection for each; in all else they are clients as the configuration has them, retries included.
 * Without HBase it connects later. {@link #turn} is used by one thread, {@link #read} by any.
 */
public final class TimelineWatch implements TimelineProber.Source, Closeable {

    private static final String PRIMARY_CALL_TIMEOUT_US = "hbase.client.primaryCallTimeout.get";
    private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Configuration site;
    private final HealerUser user;
    private final List<TableName> tables;
    private final List<Integer> timeoutsMs;
    private final Duration limit;
    private final Map<String, Integer> turnByServer = new ConcurrentHashMap<>();
    private volatile Optional<Connected> connected = Optional.empty();
    private volatile RegionsByServer regions = RegionsByServer.NONE;
    private long nextRefreshNanos = System.nanoTime();

    /** What there is once HBase was reached. */
    private record Connected(Map<Integer, AsyncConnection> byTimeoutMs, AsyncConnection first, FirstRows rows) {}

    /**
     * A watch that has not connected.
     *
     * @param tables of which those are read whose regions have replicas
     * @param timeoutsMs primary-call timeouts, in milliseconds; at least one
     * @param limit of each read
     */
    public TimelineWatch(
            Configuration site, HealerUser user, List<TableName> tables, List<Integer> timeoutsMs, Duration limit) {
        this.site = site;
        this.user = user;
        this.tables = List.copyOf(tables);
        this.timeoutsMs = List.copyOf(timeoutsMs);
        this.limit = limit;
    }

    /**
     * Does what is to be done by now, once a minute; to be called each second.
     *
     * @param prober is told which servers have primaries
     * @throws IOException if HBase can't be asked, or none of the tables has replicas; the next call tries again
     */
    public void turn(TimelineProber prober) throws IOException {
        if (System.nanoTime() - nextRefreshNanos < 0) {
            return;
        }
        if (connected.isEmpty()) {
            connected = Optional.of(connect());
        }
        Connected now = connected.get();
        List<HRegionLocation> locations = new ArrayList<>();
        for (TableName table : tables) {
            if (HBaseWatch.await(now.first().getAdmin().getDescriptor(table)).getRegionReplication() > 1) {
                locations.addAll(
                        HBaseWatch.await(now.first().getRegionLocator(table).getAllRegionLocations()));
            }
        }
        if (locations.isEmpty()) {
            throw new IOException("none of the tables " + names() + " has REGION_REPLICATION above 1:"
                    + " no timeline-consistent read is made");
        }
        regions = RegionsByServer.of(locations);
        now.rows().keepOnly(locations.stream().map(HRegionLocation::getRegion).toList());
        prober.serve(regions.servers());
        nextRefreshNanos = System.nanoTime() + REFRESH_NANOS;
    }

    private String names() {
        return tables.stream().map(TableName::getNameAsString).collect(Collectors.joining(", "));
    }

    private Connected connect() throws IOException {
        Map<Integer, AsyncConnection> connections = new HashMap<>();
        try {
            for (int timeoutMs : timeoutsMs) {
                Configuration conf = new Configuration(site);
                conf.setLong(PRIMARY_CALL_TIMEOUT_US, TimeUnit.MILLISECONDS.toMicros(timeoutMs));
                CompletableFuture<AsyncConnection> connecting =
                        ConnectionFactory.createAsyncConnection(conf, User.create(user.ugi()));
                connections.put(timeoutMs, HBaseWatch.connected(connecting));
            }
        } catch (IOException | RuntimeException failure) {
            connections.values().forEach(IOUtils::closeStream);
            throw failure;
        }
        AsyncConnection first = connections.values().iterator().next();
        return new Connected(Map.copyOf(connections), first, new FirstRows(table -> table(first, table)));
    }

    private AsyncTable<?> table(AsyncConnection connection, TableName name) {
        return connection
                .getTableBuilder(name)
                .setOperationTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .setScanTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                .build();
    }

    /** Of the next of this server's regions: the same row of a region each time, once it is known. */
    @Override
    public CompletableFuture<Optional<Boolean>> read(String server, int timeoutMs) {
        Connected now = connected.orElseThrow(() -> new RejectedExecutionException("it is closed"));
        List<RegionInfo> ofServer = regions.of(server);
        if (ofServer.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        RegionInfo region = ofServer.get(
                Math.floorMod(turnByServer.merge(server, 1, Integer::sum) / timeoutsMs.size(), ofServer.size()));
        AsyncConnection connection = now.byTimeoutMs().get(timeoutMs);
        if (connection == null) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Result> got = table(connection, region.getTable())
                .get(new Get(now.rows().of(region)).setConsistency(Consistency.TIMELINE));
        return got.thenApply(result -> Optional.of(result.isStale()));
    }

    @Override
    public void close() {
        connected.ifPresent(now -> now.byTimeoutMs().values().forEach(IOUtils::closeStream));
        connected = Optional.empty();
    }
}
