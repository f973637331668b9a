// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.RegionPlanner.PreviousHosts;
import org.junit.jupiter.api.Test;

class PreviousHostsTest {

    private static final EncodedRegionName REGION = new EncodedRegionName("r");

    private final PreviousHosts former = new PreviousHosts();

    @Test
    void theHostBeforeTheOneOfNow() {
        assertThat(former.before(REGION, "a")).isEmpty();
        assertThat(former.before(REGION, "b")).contains("a");
        assertThat(former.before(REGION, "b")).as("still").contains("a");
        assertThat(former.before(REGION, "c")).contains("b");
    }

    @Test
    void aRegionThatIsGoneIsForgotten() {
        former.before(REGION, "a");
        former.forget(REGION);

        assertThat(former.before(REGION, "b")).isEmpty();
    }
}
