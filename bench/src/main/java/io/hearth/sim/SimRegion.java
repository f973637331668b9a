// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.heat.ingest.ServerReport.RegionNameInfo;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.balancer.heat.ingest.ServerReport.ReportedLoad;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.TableId;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * One region of the simulated cluster: its true rates, and the counters of its life on the server that serves it. Mutable;
 * belongs to one {@link SimCluster}.
 */
final class SimRegion {

    /** Counters rise by the rate in the middle of stretches of at most this length, in milliseconds. */
    private static final long STRETCH_MS = 10_000;

    private static final LoadDimension[] DIMENSIONS = LoadDimension.values();

    private static final long BYTES_PER_MEGABYTE = 1 << 20;

    final EncodedRegionName id;
    final EncodedRegionName primary;
    final TableId table;
    final Optional<RegionNameInfo> nameInfo;
    final long storeBytes;
    private final List<RegionRequestRate> requestRates;
    private Optional<SimServer> server = Optional.empty();
    private double[] counters = new double[LoadDimension.counters()];
    private long openedMs;
    private long openSeqNum;
    private long countedMs;
    private Optional<PreviousOpening> previousOpening = Optional.empty();

    SimRegion(
            EncodedRegionName id,
            EncodedRegionName primary,
            TableId table,
            Optional<RegionNameInfo> nameInfo,
            long storeBytes,
            List<RegionRequestRate> requestRates) {
        this.id = id;
        this.primary = primary;
        this.table = table;
        this.nameInfo = nameInfo;
        this.storeBytes = storeBytes;
        this.requestRates = List.copyOf(requestRates);
    }

    /** The life that ended last: where, when, and with which counters. */
    private static final class PreviousOpening {

        private final SimServer server;
        private final long openedMs;
        private final long closedMs;
        private final double[] counters;

        PreviousOpening(SimServer server, long openedMs, long closedMs, double[] counters) {
            this.server = server;
            this.openedMs = openedMs;
            this.closedMs = closedMs;
            this.counters = counters;
        }
    }

    /** Where it is open; nowhere while it is on its way. */
    Optional<SimServer> server() {
        return server;
    }

    boolean isOn(SimServer candidate) {
        return server.isPresent() && server.get() == candidate;
    }

    List<RegionRequestRate> requestRates() {
        return requestRates;
    }

    /** Opens it there, with counters at 0. */
    void open(SimServer on, long nowMs) {
        server = Optional.of(on);
        openSeqNum++;
        counters = new double[counters.length];
        openedMs = nowMs;
        countedMs = nowMs;
    }

    void close(long nowMs) {
        if (server.isPresent()) {
            countUntil(nowMs);
            previousOpening = Optional.of(new PreviousOpening(server.get(), openedMs, nowMs, counters.clone()));
            server = Optional.empty();
        }
    }

    /** The true load at this time: requests per second, or bytes. */
    double load(LoadDimension dimension, long timeMs) {
        if (dimension.isCounter()) {
            return rate(dimension, timeMs);
        }
        return dimension == LoadDimension.STORE_SIZE ? storeBytes : 0;
    }

    private double rate(LoadDimension dimension, long timeMs) {
        double rate = 0;
        for (RegionRequestRate requestRate : requestRates) {
            if (requestRate.dimension() == dimension) {
                rate += requestRate.at(timeMs);
            }
        }
        return rate;
    }

    /** What this server said of it at this time, at most seconds ago; empty where it was not open there then. */
    Optional<RegionReport> report(SimServer by, long timeMs) {
        if (isOn(by) && openedMs <= timeMs) {
            countUntil(timeMs);
            return Optional.of(report(openSeqNum, counter -> counters[counter.ordinal()]));
        }
        if (previousOpening.isEmpty() || previousOpening.get().server != by) {
            return Optional.empty();
        }
        return previousOpening
                .filter(life -> life.openedMs <= timeMs && timeMs < life.closedMs)
                .map(life -> report(
                        RegionReport.UNKNOWN,
                        counter -> before(life.counters[counter.ordinal()], counter, timeMs, life.closedMs)));
    }

    /** What a counter was a little earlier. */
    private double before(double count, LoadDimension dimension, long timeMs, long countedUntilMs) {
        double served = previousOpening
                .map(life -> life.server)
                .map(SimServer::servedShare)
                .orElse(1.0);
        return Math.max(0, count - rate(dimension, timeMs) * served * (countedUntilMs - timeMs) / 1000);
    }

    /** Counts what was served until this time. */
    void countUntil(long timeMs) {
        while (countedMs < timeMs) {
            long stretchMs = Math.min(STRETCH_MS, timeMs - countedMs);
            long middleMs = countedMs + stretchMs / 2;
            double served = server.map(SimServer::servedShare).orElse(1.0);
            for (int counter = 0; counter < counters.length; counter++) {
                counters[counter] += rate(DIMENSIONS[counter], middleMs) * served * stretchMs / 1000;
            }
            countedMs += stretchMs;
        }
    }

    private RegionReport report(long sequence, ToDoubleFunction<LoadDimension> counters) {
        long wholeMegabytes = storeBytes / BYTES_PER_MEGABYTE * BYTES_PER_MEGABYTE;
        ReportedLoad load = ReportedLoad.of(
                        dimension -> dimension.isCounter() ? (long) counters.applyAsDouble(dimension) : 0)
                .with(LoadDimension.STORE_SIZE, wholeMegabytes);
        return new RegionReport(id, table, nameInfo, sequence, load, 0);
    }
}
