// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import io.hearth.admin.rpc.AdminCall;
import io.hearth.admin.rpc.HearthAdminClient;
import io.hearth.healer.hbase.HealerUser;
import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.ClusterReading;
import io.hearth.slo.event.ClusterReading.HearthReading;
import io.hearth.slo.event.ClusterReading.Region;
import io.hearth.slo.event.EventFinder;
import io.hearth.slo.event.EventMinute;
import io.hearth.ui.hbase.ApiResponse;
import java.io.Closeable;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.io.IOUtils;

/**
 * Looks once a minute at what the HMaster says of its RegionServers and regions, and at what Hearth in it says that it does, and tells what
 * happened since the look before. Canary regions are left out: nobody's requests are there. Two calls a minute, each of 15 s at most. Used
 * by one thread.
 */
public final class ClusterEventWatch implements Closeable {

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long CALL_MS = 15_000;

    private final Configuration site;
    private final HealerUser user;
    private final LongSupplier wallTimeMs;
    private final Consumer<EventMinute> minutes;
    private final TableName canary;
    private final EventFinder finder = new EventFinder();
    private Optional<Connection> connection = Optional.empty();
    private long dueNanos = System.nanoTime();

    /**
     * A watch that has not looked.
     *
     * @param wallTimeMs ms since 1970
     * @param minutes is told of each minute, also if nothing happened in it
     */
    public ClusterEventWatch(
            Configuration site, HealerUser user, LongSupplier wallTimeMs, Consumer<EventMinute> minutes) {
        this.site = new Configuration(site);
        this.site.setInt("hbase.client.retries.number", 1);
        this.site.setLong("hbase.client.operation.timeout", CALL_MS);
        this.site.setLong("hbase.rpc.timeout", CALL_MS);
        this.canary = CanaryTable.name(site);
        this.user = user;
        this.wallTimeMs = wallTimeMs;
        this.minutes = minutes;
    }

    /**
     * Looks if it is time; to be called each second.
     *
     * @throws IOException if something could not be asked; what could be is told all the same, and the next look is a minute later
     */
    public void turn() throws IOException {
        long now = System.nanoTime();
        if (now - dueNanos < 0) {
            return;
        }
        // A look that was missed is not made up for.
        dueNanos += ((now - dueNanos) / PERIOD_NANOS + 1) * PERIOD_NANOS;
        look();
    }

    /** Looks now. */
    void look() throws IOException {
        try (Admin admin = connection().getAdmin()) {
            ClusterMetrics cluster = admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS, Option.MASTER));
            HearthAnswer answer = hearth(admin);
            long nowMs = wallTimeMs.getAsLong();
            tell(nowMs, finder.next(reading(nowMs, cluster, canary, answer.reading())));
            if (answer.failure().isPresent()) {
                throw answer.failure().get();
            }
        } catch (NotAnsweredException told) {
            throw told;
        } catch (IOException failure) {
            long nowMs = wallTimeMs.getAsLong();
            tell(nowMs, finder.notAnswered(nowMs));
            throw failure;
        }
    }

    private void tell(long nowMs, List<ClusterEvent> events) {
        minutes.accept(EventMinute.at(nowMs, events));
    }

    private Connection connection() throws IOException {
        if (connection.isEmpty()) {
            connection = Optional.of(ConnectionFactory.createConnection(site, User.create(user.ugi())));
        }
        return connection.get();
    }

    /** Hearth's answer, or why there is none. */
    private record HearthAnswer(Optional<HearthReading> reading, Optional<NotAnsweredException> failure) {}

    /** Hearth in the HMaster can't be asked; what HBase says is told. */
    private static final class NotAnsweredException extends IOException {

        private static final long serialVersionUID = 1;

        NotAnsweredException(String why, Throwable cause) {
            super("what Hearth in the HMaster does is not known: " + why, cause);
        }
    }

    private static HearthAnswer hearth(Admin admin) {
        try {
            Optional<ApiResponse> status = HearthAdminClient.ask(admin, AdminCall.GET_STATUS, "{}");
            if (status.isEmpty()) {
                return new HearthAnswer(Optional.of(HearthReading.NOT_INSTALLED), Optional.empty());
            }
            return status.get().status() == ApiResponse.OK
                    ? new HearthAnswer(
                            Optional.of(HearthStatusReader.read(status.get().body())), Optional.empty())
                    // It has only just started.
                    : new HearthAnswer(Optional.empty(), Optional.empty());
        } catch (IOException | RuntimeException failure) {
            return new HearthAnswer(
                    Optional.empty(),
                    Optional.of(new NotAnsweredException(String.valueOf(failure.getMessage()), failure)));
        }
    }

    /** What these answers come to. */
    static ClusterReading reading(
            long nowMs, ClusterMetrics cluster, TableName canary, Optional<HearthReading> hearth) {
        Map<String, Long> startCodes = new HashMap<>();
        Map<String, Region> regions = new HashMap<>();
        // A region that was moved may be in two reports for some seconds: the later one is right.
        cluster.getLiveServerMetrics().values().stream()
                .sorted(Comparator.comparingLong(ServerMetrics::getReportTimestamp))
                .forEach(server -> {
                    String name = RegionsByServer.target(server.getServerName());
                    long startCode = server.getServerName().getStartcode();
                    startCodes.put(name, startCode);
                    server.getRegionMetrics().values().stream()
                            .filter(region ->
                                    !RegionInfo.getTable(region.getRegionName()).equals(canary))
                            .forEach(region -> regions.put(
                                    RegionInfo.encodeRegionName(region.getRegionName()),
                                    region(name, startCode, region)));
                });
        return new ClusterReading(nowMs, String.valueOf(cluster.getMasterName()), startCodes, regions, hearth);
    }

    private static Region region(String server, long startCode, RegionMetrics region) {
        return new Region(
                server,
                startCode,
                region.getCompletedSequenceId(),
                region.getStoreFileCount(),
                region.getCompactingCellCount(),
                region.getLastMajorCompactionTimestamp());
    }

    @Override
    public void close() {
        connection.ifPresent(IOUtils::closeStream);
        connection = Optional.empty();
    }
}
