// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.DoNotRetryRegionException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** What happens to the regions of a table in its life, and how many there have to be after it. Used by one thread. */
final class TableRegionChanges {

    /** Of each kind of change, so that regions that stay as they are move beside those that don't. */
    private static final int CHANGES = 6;

    private static final long LIMIT_MS = 120_000;
    private static final long POLL_MS = 500;

    private final TableName table;
    private final Connection connection;
    private final long pollMs;
    private int expected = ChaosTable.REGIONS;

    TableRegionChanges(TableName table, Connection connection) {
        this(table, connection, POLL_MS);
    }

    TableRegionChanges(TableName table, Connection connection, long pollMs) {
        this.table = table;
        this.connection = connection;
        this.pollMs = pollMs;
    }

    /** How many regions there are when nothing is broken. */
    int expected() {
        return expected;
    }

    /** Splits some regions, each in the middle of its loaded rows. */
    void split() throws IOException, InterruptedException {
        try (Admin admin = connection.getAdmin()) {
            for (RegionInfo region : regions(admin).subList(0, CHANGES)) {
                byte[] middle = Bytes.toBytes(prefixOf(region) + "-loaded-5");
                retry(() -> admin.splitRegionAsync(region.getRegionName(), middle));
                expected++;
            }
        }
    }

    private static String prefixOf(RegionInfo region) {
        return region.getStartKey().length == 0 ? ChaosTable.prefix(0) : Bytes.toString(region.getStartKey());
    }

    /** Merges some regions with their neighbours. */
    void merge() throws IOException, InterruptedException {
        try (Admin admin = connection.getAdmin()) {
            List<RegionInfo> regions = regions(admin);
            for (int first = 0; first < 2 * CHANGES; first += 2) {
                byte[][] neighbours = {
                    regions.get(first).getEncodedNameAsBytes(),
                    regions.get(first + 1).getEncodedNameAsBytes()
                };
                retry(() -> admin.mergeRegionsAsync(neighbours, false));
                expected--;
            }
        }
    }

    /** Writes every store file anew. */
    void compact() throws IOException, InterruptedException {
        try (Admin admin = connection.getAdmin()) {
            admin.majorCompact(table);
            long deadline = System.nanoTime() + LIMIT_MS * 1_000_000;
            do {
                if (System.nanoTime() > deadline) {
                    throw new IOException("Major compaction takes longer than " + LIMIT_MS / 1000 + " s");
                }
                Thread.sleep(pollMs);
            } while (isCompacting(admin));
        }
    }

    /** True also where that can't be told: HBase's client fails, with a NullPointerException at worst, while a region moves. */
    private boolean isCompacting(Admin admin) {
        try {
            return admin.getCompactionState(table) != CompactionState.NONE;
        } catch (IOException | RuntimeException e) {
            return true;
        }
    }

    private List<RegionInfo> regions(Admin admin) throws IOException {
        return admin.getRegions(table).stream().sorted().toList();
    }

    private interface RegionOperation {
        Future<?> give() throws IOException;
    }

    /** Gives the order again while HBase refuses it because a region is on its way to another server, as a person would. */
    private void retry(RegionOperation order) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT_MS * 1_000_000;
        while (!isAccepted(order, System.nanoTime() > deadline)) {
            Thread.sleep(pollMs);
        }
    }

    /** Whether it is done; false where it was refused for now. */
    private static boolean isAccepted(RegionOperation order, boolean isLast) throws IOException, InterruptedException {
        @Nullable Throwable failure;
        try {
            order.give().get();
            return true;
        } catch (ExecutionException e) {
            failure = e.getCause();
        } catch (IOException e) {
            failure = e;
        }
        if (isLast || !isRefusedForNow(failure)) {
            throw new IOException(failure);
        }
        return false;
    }

    /** A move that began after HBase had checked the region is told by a message alone ({@code AssignmentManagerUtil}). */
    private static boolean isRefusedForNow(@Nullable Throwable failure) {
        return failure instanceof DoNotRetryRegionException
                || String.valueOf(failure).contains("is currently in transition");
    }
}
