// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

/** A counter or a gauge that a process shows, as its enum has it: what it is called and what it is of. Immutable. */
public interface NamedMetric {

    MetricText text();

    /** The name in {@code /jmx}. */
    default String metric() {
        return text().metric();
    }

    /** What it counts or measures, for an operator. */
    default String doc() {
        return text().doc();
    }

    /** A metric's name and what it is of. Immutable. */
    record MetricText(String metric, String doc) {}
}
