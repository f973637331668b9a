// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * What clients got in one phase. Immutable.
 *
 * @param readsPerSecond of all clients
 * @param shareAbove100Ms the share of the reads that took more than 100 ms
 * @param cachedShare the share of the reads for which nobody asked the disk
 * @param cachedMbPerSecond bytes over time of those reads, in MB/s of one client; NaN where there were none
 * @param uncachedMbPerSecond the same of the others
 */
record PhaseResult(
        double readsPerSecond,
        double medianMs,
        double p95Ms,
        double p99Ms,
        double shareAbove100Ms,
        double cachedShare,
        double cachedMbPerSecond,
        double uncachedMbPerSecond) {

    private static final double NANOS_PER_MS = 1e6;
    private static final double SLOW_MS = 100;
    private static final double BYTES_PER_NANO_IN_MB_PER_SECOND = 1e3;

    /** One read of a client. Immutable. */
    record TimedRead(long nanos, boolean isCached) {}

    /**
     * What so many reads come to.
     *
     * @param readBytes the bytes of each
     */
    static PhaseResult of(Collection<TimedRead> reads, int readBytes, double seconds) {
        double[] ms = reads.stream()
                .mapToDouble(read -> read.nanos() / NANOS_PER_MS)
                .sorted()
                .toArray();
        List<TimedRead> cached = reads.stream().filter(TimedRead::isCached).toList();
        List<TimedRead> uncached =
                reads.stream().filter(read -> !read.isCached()).toList();
        return new PhaseResult(
                ms.length / seconds,
                percentile(ms, 0.5),
                percentile(ms, 0.95),
                percentile(ms, 0.99),
                Arrays.stream(ms).filter(one -> one > SLOW_MS).count() / (double) ms.length,
                cached.size() / (double) ms.length,
                mbPerSecond(cached, readBytes),
                mbPerSecond(uncached, readBytes));
    }

    /** The least of which so many are not above it; NaN of none. */
    private static double percentile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }

    private static double mbPerSecond(List<TimedRead> reads, int readBytes) {
        double nanos = reads.stream().mapToDouble(TimedRead::nanos).sum();
        return nanos == 0 ? Double.NaN : BYTES_PER_NANO_IN_MB_PER_SECOND * reads.size() * readBytes / nanos;
    }
}
