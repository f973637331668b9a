package io.hearth.healing.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.RegionMetrics;
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
final class ServerReports implements Closeable {

    private static final int THREADS = 16;
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final Connection connection;
    private final ExecutorService threads;
    private final Map<ServerName, CompletableFuture<List<RegionMetrics>>> pending = new HashMap<>();

    ServerReports(Connection connection) {
        this.connection = connection;
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "hearth-server-reports");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The reports of those of these servers that answer. */
    Map<ServerName, ServerMetrics> ask(List<ServerName> servers) {
        long deadlineNanos = System.nanoTime() + LONGEST_NANOS;
        pending.keySet().retainAll(servers);
        servers.forEach(server -> pending.computeIfAbsent(
                server, unasked -> CompletableFuture.supplyAsync(() -> regions(unasked), threads)));
        Map<ServerName, ServerMetrics> reports = new HashMap<>();
        for (ServerName server : servers) {
            List<RegionMetrics> regions = await(server, deadlineNanos);
            if (!regions.isEmpty()) {
                reports.put(
                        server,
                        ServerMetricsBuilder.newBuilder(server)
                                .setRegionMetrics(regions)
                                .setReportTimestamp(EnvironmentEdgeManager.currentTime())
                                .build());
            }
        }
        return reports;
    }

    /** None where there is no answer; a server without regions matters to nobody. */
    private List<RegionMetrics> await(ServerName server, long deadlineNanos) {
        CompletableFuture<List<RegionMetrics>> answer = pending.get(server);
        try {
            List<RegionMetrics> regions =
                    answer.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            pending.remove(server);
            return regions;
        } catch (TimeoutException notYet) {
            return List.of();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException failed) {
            pending.remove(server);
            return List.of();
        }
    }

    private List<RegionMetrics> regions(ServerName server) {
        try (Admin admin = connection.getAdmin()) {
            return admin.getRegionMetrics(server, null);
        } catch (IOException | RuntimeException noAnswer) {
            return List.of();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
