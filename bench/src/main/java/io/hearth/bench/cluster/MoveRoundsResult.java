// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What came of all rounds of one kind. Immutable.
 *
 * @param rounds in their order
 * @param gets latencies of gets, of all rounds together
 * @param multigets latencies of multigets
 */
public record MoveRoundsResult(List<Round> rounds, Latencies gets, Latencies multigets) {

    public MoveRoundsResult {
        rounds = List.copyOf(rounds);
    }

    /**
     * What came of one round. Immutable.
     *
     * @param nonLocalBytes when healing began
     * @param writtenBytes of the DataNodes, from then until all was local
     * @param breakdown where a heal of Hearth's spent its time; nothing in it for a compaction
     */
    public record Round(long nonLocalBytes, long writtenBytes, HealTimes times, CpuTimes cpu, HealBreakdown breakdown) {

        Round withReadLocally(OptionalDouble seconds) {
            HealTimes all = new HealTimes(times.copied, times.confirmed, seconds, times.estimated);
            return new Round(nonLocalBytes, writtenBytes, all, cpu, breakdown);
        }
    }

    /**
     * How long a round took, in seconds from when healing was asked for.
     *
     * @param copied until the NameNode had a replica of every block at its server; infinity where that was not so within the limit
     * @param confirmed until no block had more replicas than wanted; infinity where that was not so within the limit
     * @param readLocally until the server read the last of these blocks over the network, itself or to compact it; absent where that is not
     *     known
     * @param estimated what the dry run said that it would take; absent where there was none
     */
    public record HealTimes(double copied, double confirmed, OptionalDouble readLocally, OptionalDouble estimated) {}

    /**
     * Processor time that a round took beyond what the load takes anyway, in milliseconds: all servers of one kind together.
     */
    public record CpuTimes(double dataNodes, double regionServers, double master) {

        CpuTimes since(CpuTimes earlier) {
            return new CpuTimes(
                    dataNodes - earlier.dataNodes, regionServers - earlier.regionServers, master - earlier.master);
        }

        /** What is left of it without that many times another. */
        CpuTimes without(CpuTimes usual, double times) {
            return new CpuTimes(
                    dataNodes - times * usual.dataNodes,
                    regionServers - times * usual.regionServers,
                    master - times * usual.master);
        }
    }

    /**
     * Latencies of one kind of request. Phases are as long as the copies took, but for the last.
     *
     * @param before regions moved
     * @param remote their data is remote, and healing has not begun
     * @param healing it is being copied
     * @param deleting from the last copy until old replicas are gone and every open stream can know it
     * @param p99 of two phases without healing
     * @param p999 the same of the thousandth
     */
    public record Latencies(
            LatencySummary before,
            LatencySummary remote,
            LatencySummary healing,
            LatencySummary deleting,
            AaRatio p99,
            AaRatio p999) {}

    /** The median until all was copied, the longer one of two; infinity where half of them did not end. */
    double medianSeconds() {
        return median(round -> round.times().copied()).orElseThrow();
    }

    /** The median until all was read locally; absent where it is not known of any. */
    OptionalDouble medianReadLocally() {
        return medianOf(rounds.stream()
                .flatMapToDouble(round -> round.times().readLocally().stream())
                .toArray());
    }

    /** The median of the time until all was confirmed over the dry run's estimate; absent where there was none. */
    OptionalDouble medianOfEstimate() {
        return medianOf(rounds.stream()
                .filter(round -> round.times().estimated().isPresent())
                .mapToDouble(round ->
                        round.times().confirmed() / round.times().estimated().getAsDouble())
                .toArray());
    }

    /** The median of the processor time for a megabyte that became local, in milliseconds. */
    double cpuPerMegabyte(ToDoubleFunction<CpuTimes> servers) {
        return median(round -> servers.applyAsDouble(round.cpu()) / (round.nonLocalBytes() / 1e6))
                .orElseThrow();
    }

    long nonLocalBytes() {
        return rounds.stream().mapToLong(Round::nonLocalBytes).sum();
    }

    long writtenBytes() {
        return rounds.stream().mapToLong(Round::writtenBytes).sum();
    }

    OptionalDouble median(ToDoubleFunction<Round> value) {
        return medianOf(rounds.stream().mapToDouble(value).toArray());
    }

    private static OptionalDouble medianOf(double[] values) {
        double[] sorted = Arrays.stream(values).sorted().toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[sorted.length / 2]);
    }
}
