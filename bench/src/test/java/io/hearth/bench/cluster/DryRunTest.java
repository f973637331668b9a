// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DryRunTest {

    @Test
    void itsEstimateIsInMilliseconds() throws IOException {
        assertThat(DryRun.parse("{\"result\":\"done\",\"estimate\":{\"bytes\":1,\"durationMs\":12345}}"))
                .hasValue(12.345);
        assertThat(DryRun.parse("{\"result\":\"done\"}")).isEmpty();
    }

    @Test
    void anythingElseIsAnError() {
        assertThatThrownBy(() -> DryRun.parse("Done: all is local"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Done: all is local");
    }
}
