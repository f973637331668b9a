// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import io.hearth.bench.cluster.VariantRun.Variant;

/**
 * What rates were held while a server's data was local, away, and local again.
 *
 * @param variant what made data local again
 * @param before the highest rate while all data is local, in requests a second
 * @param away while one server has nothing of what it serves
 * @param after once data is local again
 * @param seconds until it was; infinite where it never was
 * @param whileWorkingPerSecond what was sent meanwhile
 * @param p99Ms of that
 * @param idle the least share of the machine's processors that had nothing to do then and at the rates that were tried, 0 to 1
 * @param failed requests of all, and of what was sent to find the rates
 */
public record LinkResult(
        Variant variant,
        double before,
        double away,
        double after,
        double seconds,
        double whileWorkingPerSecond,
        double p99Ms,
        double idle,
        long failed) {}
