// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * An HBase that lacks a class, field or method that Hearth uses gets the stock balancer's plans, no exception leaves a hook, and one line
 * says what is missing and both versions. One in twelve of them is tried here, all in {@link MissingUseIT}.
 */
class MissingUseTest {

    @Test
    void withoutOneInTwelveTheStockBalancerPlansAndNothingLeavesAHook() throws Exception {
        try (MasterWithoutOneUse master = new MasterWithoutOneUse()) {
            MasterWithoutOneUse.Result result = master.tryWithoutOneIn(12);

            assertThat(result.wrong()).isEmpty();
            assertThat(result.tried()).isGreaterThan(20);
            assertThat(result.missed()).as("what was reached and missed").hasSizeGreaterThan(3);
        }
    }
}
