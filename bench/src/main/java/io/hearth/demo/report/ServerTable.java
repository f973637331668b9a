// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import io.hearth.testkit.measure.LoadSkew;
import java.util.List;
import java.util.OptionalDouble;

/**
 * All servers over one interval, with how uneven their reads and writes are.
 *
 * @param title what has happened to the cluster by then
 * @param rows one for each server; immutable
 */
public record ServerTable(String title, List<ServerTableRow> rows) {

    public ServerTable {
        rows = List.copyOf(rows);
    }

    /** Reads of the busiest server over the average. */
    public OptionalDouble readSkew() {
        return LoadSkew.maxOverMean(
                rows.stream().map(ServerTableRow::readsPerSecond).toList());
    }

    /** Writes of the busiest server over the average. */
    public OptionalDouble writeSkew() {
        return LoadSkew.maxOverMean(
                rows.stream().map(ServerTableRow::writesPerSecond).toList());
    }
}
