// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * What RegionServers say of their regions, asked of each of them: the master's cluster metrics leave out, on their way to a
 * client, how many bytes are local and what is being compacted ({@code RegionMetricsBuilder.toRegionLoad}). A server that does
 * not answer in time says nothing, and is not asked again while it has not answered. Used by one thread.
 */
public final class RegionMetricsFetcher implements Closeable {

    private static final int THREADS = 16;
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final Connection connection;
    private final ExecutorService threads;
    private final Map<ServerName, CompletableFuture<Optional<ServerMetrics>>> pending = new HashMap<>();

    public RegionMetricsFetcher(Connection connection) {
        this.connection = connection;
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "hearth-server-reports");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The reports of those of these servers that answer. */
    public Map<ServerName, ServerMetrics> ask(Collection<ServerName> servers) {
        long deadlineNanos = System.nanoTime() + LONGEST_NANOS;
        pending.keySet().retainAll(servers);
        servers.forEach(server -> pending.computeIfAbsent(
                server, unlisted -> CompletableFuture.supplyAsync(() -> report(unlisted), threads)));
        Map<ServerName, ServerMetrics> reports = new HashMap<>();
        servers.forEach(server -> await(server, deadlineNanos).ifPresent(report -> reports.put(server, report)));
        return reports;
    }

    /** Empty where there is no answer. */
    private Optional<ServerMetrics> await(ServerName server, long deadlineNanos) {
        CompletableFuture<Optional<ServerMetrics>> answer = pending.get(server);
        try {
            Optional<ServerMetrics> report = Objects.requireNonNull(answer, "asked for before")
                    .get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            pending.remove(server);
            return report;
        } catch (TimeoutException notYet) {
            return Optional.empty();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException failed) {
            pending.remove(server);
            return Optional.empty();
        }
    }

    private Optional<ServerMetrics> report(ServerName server) {
        try (Admin admin = connection.getAdmin()) {
            return Optional.of(ServerMetricsBuilder.newBuilder(server)
                    .setRegionMetrics(admin.getRegionMetrics(server, null))
                    .setReportTimestamp(EnvironmentEdgeManager.currentTime())
                    .build());
        } catch (IOException | RuntimeException noAnswer) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
