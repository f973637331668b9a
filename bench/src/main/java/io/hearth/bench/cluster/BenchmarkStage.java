// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

/** What a variant's cluster goes through, in this order. The last two are rounds. */
public enum BenchmarkStage {
    EVENTS("event"),
    HOT_SPOT("hot spot"),
    MOVED("rounds"),
    RETURNED("rounds back");

    private final String title;

    BenchmarkStage(String title) {
        this.title = title;
    }

    /** What tables, pictures and bars call it. */
    public String title() {
        return title;
    }
}
