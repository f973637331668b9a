// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.Workload.Operation;
import io.hearth.testkit.measure.KeySpace;
import io.hearth.testkit.measure.WeightedChoice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.generator.AcknowledgedCounterGenerator;
import site.ycsb.generator.NumberGenerator;

/**
 * A load at work, on HBase's stock asynchronous client with its own retries. A loaded row that is read and is not there is an error like a
 * request that the client gave up. One thread draws and sends; everything that can be asked of it is thread-safe.
 */
public final class LoadDriver implements AutoCloseable {

    private static final long DRAIN_SECONDS = 60;

    private final LoadTable table;
    private final LoadProfile profile;
    private final AsyncConnection connection;
    private final AsyncTable<AdvancedScanResultConsumer> client;
    private final OutstandingRequests requests = new OutstandingRequests();
    private final LatencyRecorder latencies = new LatencyRecorder(System.nanoTime());
    private final List<Operation> operations;
    private final WeightedChoice choice;
    private final SplittableRandom random;
    private final AcknowledgedCounterGenerator inserted;
    private volatile NumberGenerator rows;
    private volatile RowOrder order;
    private final OpenLoop loop;

    private LoadDriver(AsyncConnection connection, LoadTable table, LoadProfile profile) {
        this.table = table;
        this.profile = profile;
        this.connection = connection;
        this.client = connection.getTable(table.name());
        Map<Operation, Double> shares = profile.workload().shares(profile.multigets());
        this.operations = List.copyOf(shares.keySet());
        this.choice = new WeightedChoice(operations.stream().map(shares::get).toList());
        this.random = new SplittableRandom(profile.seed());
        long loaded = table.keys().rows();
        this.inserted = new AcknowledgedCounterGenerator(loaded);
        this.rows = rowsAtTheStart();
        this.order = RowOrder.shuffled(table.keys(), profile.seed());
        this.loop = OpenLoop.start("load", profile.rate().arrivals(profile.seed()), this::send);
    }

    private NumberGenerator rowsAtTheStart() {
        return profile.distribution()
                .rows(
                        table.keys().rows(),
                        table.keys().regions(),
                        inserted,
                        profile.hotRows(),
                        profile.hotRequests(),
                        profile.seed());
    }

    /** A connection of its own to the cluster of this configuration, over which it sends until it is stopped. */
    public static LoadDriver start(Configuration conf, LoadTable table, LoadProfile profile) {
        return new LoadDriver(ConnectionFactory.createAsyncConnection(conf).join(), table, profile);
    }

    /** From now on this share of the requests is for these regions, and the rest for the others. */
    public void concentrate(List<Integer> regions, double share) {
        order = order.startingWith(regions);
        double hotRows = (double) regions.size() / table.keys().regions();
        rows = KeyDistribution.HOTSPOT.rows(
                table.keys().rows(), table.keys().regions(), inserted, hotRows, share, profile.seed());
    }

    /** From now on row numbers run through the regions in this order, in which every region is once. */
    public void order(List<Integer> regions) {
        order = new RowOrder(table.keys(), regions);
    }

    /** From now on requests are spread over the rows as they were at the start. */
    public void spread() {
        rows = rowsAtTheStart();
    }

    public LoadTable table() {
        return table;
    }

    public LatencyRecorder latencies() {
        return latencies;
    }

    public OutstandingRequests requests() {
        return requests;
    }

    /** The kinds of requests that there are. */
    public List<Operation> operations() {
        return operations;
    }

    /** Sends no more and waits for the answers that are out; those that do not come are errors. */
    public void stop() throws InterruptedException {
        loop.stop();
        requests.drain(DRAIN_SECONDS);
    }

    private void send(long dueNanos) {
        Operation operation = operations.get(choice.at(random.nextDouble()));
        latencies.sent(dueNanos);
        requests.awaitPermit();
        requests.track(request(operation), () -> latencies.add(operation, dueNanos, System.nanoTime()));
    }

    private CompletableFuture<?> request(Operation operation) {
        return switch (operation) {
            case GET -> get(nextRow());
            case MULTIGET -> multiget();
            case PUT -> put(nextRow());
            case INSERT -> insert();
            case SCAN -> scan();
            case READ_MODIFY_WRITE -> {
                byte[] row = nextRow();
                // Drawn here, by the one thread that may.
                var put = table.rows().put(row, random);
                yield get(row).thenCompose(read -> client.put(put));
            }
        };
    }

    private byte[] nextRow() {
        return order.row(rows.nextValue().longValue());
    }

    private CompletableFuture<?> get(byte[] row) {
        return client.get(read(row)).thenAccept(result -> require(row, result));
    }

    private CompletableFuture<?> multiget() {
        List<byte[]> keys = IntStream.range(0, LoadProfile.ROWS_OF_A_MULTIGET)
                .mapToObj(i -> nextRow())
                .toList();
        return client.getAll(keys.stream().map(this::read).toList()).thenAccept(results -> {
            for (int i = 0; i < keys.size(); i++) {
                require(keys.get(i), results.get(i));
            }
        });
    }

    private Get read(byte[] row) {
        return new Get(row).addColumn(LoadTable.FAMILY, LoadTable.VALUE).setCacheBlocks(profile.cacheBlocks());
    }

    private static void require(byte[] row, Result result) {
        if (result.isEmpty()) {
            throw new IllegalStateException("a row that was written is gone: " + Bytes.toString(row));
        }
    }

    private CompletableFuture<?> put(byte[] row) {
        return client.put(table.rows().put(row, random));
    }

    private CompletableFuture<?> insert() {
        long number = inserted.nextValue();
        return client.put(table.rows().put(order.row(number), random)).thenRun(() -> inserted.acknowledge(number));
    }

    private CompletableFuture<?> scan() {
        byte[] row = nextRow();
        return client.scanAll(new Scan()
                        .withStartRow(row)
                        .setLimit(1 + random.nextInt(LoadProfile.LONGEST_SCAN))
                        .setCacheBlocks(profile.cacheBlocks()))
                .thenAccept(results -> require(row, results.isEmpty() ? Result.EMPTY_RESULT : results.get(0)));
    }

    @Override
    public void close() throws IOException {
        loop.end();
        connection.close();
    }

    /**
     * Which row a row number stands for: numbers run through one region after the other, in an order of regions. So the order decides which regions
     * a hot spot, the lowest numbers, falls on. Numbers beyond the table are rows that are inserted at its end. Immutable.
     *
     * @param keys the keys of the table
     * @param regions every region's number once
     */
    record RowOrder(KeySpace keys, List<Integer> regions) {

        RowOrder {
            regions = List.copyOf(regions);
        }

        /** Any order, by a seed. */
        static RowOrder shuffled(KeySpace keys, long seed) {
            List<Integer> regions =
                    new ArrayList<>(IntStream.range(0, keys.regions()).boxed().toList());
            Collections.shuffle(regions, new Random(seed));
            return new RowOrder(keys, regions);
        }

        /** The same with these first. */
        RowOrder startingWith(List<Integer> first) {
            List<Integer> next = new ArrayList<>(first);
            regions.stream().filter(region -> !first.contains(region)).forEach(next::add);
            return new RowOrder(keys, next);
        }

        byte[] row(long number) {
            if (number >= keys.rows()) {
                return keys.row(keys.regions() - 1, Math.toIntExact(number - keys.rows() + keys.rowsPerRegion()));
            }
            return keys.row(regions.get((int) (number / keys.rowsPerRegion())), (int) (number % keys.rowsPerRegion()));
        }
    }
}
