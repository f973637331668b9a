// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.MoveTrackerConfig.ManualPinExemptions;
import io.hearth.common.config.Setting;
import org.junit.jupiter.api.Test;

/** Which regions a manual move does not pin, as an operator writes it. */
class ManualPinExemptionsTest {

    @Test
    void theyAreNoneAllOrEncodedNames() {
        Setting<ManualPinExemptions> pins =
                Setting.of("k", ManualPinExemptions.NONE, "names", "For the test.", ManualPinExemptions::parse);

        assertThat(pins.parse("NONE").map(ManualPinExemptions::toString)).contains("none");
        assertThat(pins.parse("all").map(ManualPinExemptions::toString)).contains("all");
        assertThat(pins.parse("b2, a1").map(ManualPinExemptions::toString)).contains("a1,b2");
        assertThat(pins.parse("a1").map(lifted -> lifted.contains("b2"))).contains(false);
        assertThat(pins.parse("a b")).isEmpty();
    }
}
