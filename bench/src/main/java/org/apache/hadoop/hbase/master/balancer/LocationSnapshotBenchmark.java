// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import io.hearth.balancer.state.LocalBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.balancer.BlockLocations.LocalityErrorHandler;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.jspecify.annotations.NullMarked;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jol.info.GraphLayout;

/**
 * Measures what the block locations of a balancer's snapshot cost where the NameNode has answered and an earlier snapshot is kept:
 * {@value #REGIONS} regions, each with bytes on {@value #HOSTS_PER_REGION} hosts.
 */
@NullMarked
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class LocationSnapshotBenchmark {

    static final int REGIONS = 100_000;
    static final int HOSTS_PER_REGION = 79;

    private static final int SERVERS = 1_000;
    private static final long BLOCK_BYTES = 256L << 20;

    /** No NameNode is away, and no report is unreadable, in a benchmark. */
    static final class NoErrors implements LocalityErrorHandler {

        @Override
        public void nameNodeUnavailable(Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void regionNotRead(RegionInfo region, Throwable failure) {
            throw new IllegalStateException(failure);
        }

        @Override
        public void reportsNotRead(Throwable failure) {
            throw new IllegalStateException(failure);
        }
    }

    private final List<HDFSBlocksDistribution> answers = new ArrayList<>();
    private final List<RegionInfo> regions = new ArrayList<>();
    private final HearthRegionLocationFinder finder;

    /** All regions are known, as some minutes after a master's start. */
    public LocationSnapshotBenchmark() {
        for (int first = 0; first < SERVERS; first++) {
            answers.add(answer(first));
        }
        finder = new HearthRegionLocationFinder(
                () -> 0,
                new NoErrors(),
                (region, host) -> {},
                Optional.of(region -> answers.get((int) (region.getRegionId() % SERVERS))),
                MoreExecutors.newDirectExecutorService());
        TableName table = TableName.valueOf("t");
        for (int region = 0; region < REGIONS; region++) {
            RegionInfo info = RegionInfoBuilder.newBuilder(table)
                    .setStartKey(Bytes.toBytes(region))
                    .setRegionId(region)
                    .build();
            regions.add(info);
            finder.getBlockDistribution(info);
        }
    }

    /** Those who start from one server have the same answer object: what a snapshot makes of it is each region's own. */
    private static HDFSBlocksDistribution answer(int first) {
        HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
        for (int next = 0; next < HOSTS_PER_REGION; next++) {
            String host = "rs" + (first + next * 11) % SERVERS + ".dc1.example.com";
            blocks.addHostsAndBlockWeight(new String[] {host}, BLOCK_BYTES, null);
        }
        return blocks;
    }

    /** The block locations of one snapshot. */
    @Benchmark
    public List<LocalBytes> snapshot() {
        List<LocalBytes> snapshot = new ArrayList<>(REGIONS);
        regions.forEach(region -> snapshot.add(finder.localBytes(region)));
        return snapshot;
    }

    /** Bytes that a second snapshot keeps alive besides those of the first, which is kept as well. */
    public static long bytesOfSecondSnapshot() {
        LocationSnapshotBenchmark benchmark = new LocationSnapshotBenchmark();
        List<LocalBytes> first = benchmark.snapshot();
        List<LocalBytes> second = benchmark.snapshot();
        return GraphLayout.parseInstance(first, second).totalSize()
                - GraphLayout.parseInstance(first).totalSize();
    }
}
