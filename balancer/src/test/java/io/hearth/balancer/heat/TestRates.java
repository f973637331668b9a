// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.balancer.heat.ingest.RegionCounters.RegionSample;
import io.hearth.common.model.LoadDimension;

/** Rates and samples that have reads and writes alone. */
final class TestRates {

    private TestRates() {}

    static Rates of(double readsPerSecond, double writesPerSecond) {
        return Rates.of(counter -> counter == LoadDimension.READS.ordinal()
                ? readsPerSecond
                : counter == LoadDimension.WRITES.ordinal() ? writesPerSecond : 0);
    }

    static RegionSample sample(long elapsedMs, long reads, long writes) {
        return new RegionSample(elapsedMs, of(reads * 1000.0 / elapsedMs, writes * 1000.0 / elapsedMs));
    }
}
