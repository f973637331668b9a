// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
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
 * not answer in time says nothing, and is neither asked again nor waited for again while it has not answered. Used by one thread.
 */
public final class RegionMetricsFetcher implements Closeable {

    /** For how long who asks waits for all of them together. */
    public static final Duration LONGEST = Duration.ofSeconds(10);

    private static final int THREADS = 16;

    /** Of those that are being waited for by nobody any more; a call of HBase's client ends by itself, after minutes. */
    private static final int MOST_HELD_THREADS = 112;

    private final Connection connection;
    private final ThreadPoolExecutor threads;
    private final Map<ServerName, CompletableFuture<Optional<ServerMetrics>>> pending = new HashMap<>();

    /** Those that are being asked just now, and not only to be asked. */
    private final Set<ServerName> asked = ConcurrentHashMap.newKeySet();

    public RegionMetricsFetcher(Connection connection) {
        this.connection = connection;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, LONGEST.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "hearth-server-reports");
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** The reports of those of these servers that answer. */
    public Map<ServerName, ServerMetrics> ask(Collection<ServerName> servers) {
        return ask(servers, LONGEST);
    }

    /** The same of those that answer within this time; of one that was late the time before, if it has answered meanwhile. */
    public Map<ServerName, ServerMetrics> ask(Collection<ServerName> servers, Duration longest) {
        long deadlineNanos = System.nanoTime() + longest.toNanos();
        pending.keySet().retainAll(servers);
        Set<ServerName> late = new HashSet<>(pending.keySet());
        late.retainAll(asked);
        // Those that hang hold as many threads: others are not to wait behind them.
        int size = THREADS + Math.min(MOST_HELD_THREADS, late.size());
        threads.setMaximumPoolSize(Math.max(size, threads.getMaximumPoolSize()));
        threads.setCorePoolSize(size);
        servers.forEach(server -> pending.computeIfAbsent(
                server, unlisted -> CompletableFuture.supplyAsync(() -> report(unlisted), threads)));
        Map<ServerName, ServerMetrics> reports = new HashMap<>();
        servers.stream().filter(server -> !late.contains(server)).forEach(server -> await(server, deadlineNanos)
                .ifPresent(report -> reports.put(server, report)));
        late.forEach(server -> await(server, System.nanoTime()).ifPresent(report -> reports.put(server, report)));
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
        asked.add(server);
        try (Admin admin = connection.getAdmin()) {
            return Optional.of(ServerMetricsBuilder.newBuilder(server)
                    .setRegionMetrics(admin.getRegionMetrics(server, null))
                    .setReportTimestamp(EnvironmentEdgeManager.currentTime())
                    .build());
        } catch (IOException | RuntimeException noAnswer) {
            return Optional.empty();
        } finally {
            asked.remove(server);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
