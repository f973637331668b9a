// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.metrics;

import io.hearth.healer.model.SkipReason;

/** Where healing says what it did and how it stands. Thread-safe; never throws. */
public interface HealingMetrics {

    void add(HealingCounter counter, long count);

    /** So many blocks or files stayed where they are for this reason; those listed again are counted again. */
    void addSkipped(SkipReason reason, long count);

    void set(HealingGauge gauge, long value);
}
