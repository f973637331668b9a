// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.locality;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.ServerId;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SuspectDataNodesTest {

    private static final ServerId ONE = new ServerId("Host1", 16020, 1);
    private static final ServerId TWO = new ServerId("host2", 16020, 1);
    private static final ServerId THREE = new ServerId("host3", 16020, 1);

    @Test
    void serversBesideASickDataNodeAreExcludedTooAndAnotherReasonGoesFirst() {
        SuspectDataNodes sick = () -> Map.of("host1", "its DataNode is slow", "host2", "its DataNode is slow");

        assertThat(sick.excluded(Set.of(ONE, TWO, THREE), Map.of(TWO, "regions do not open there")))
                .isEqualTo(Map.of(ONE, "its DataNode is slow", TWO, "regions do not open there"));
    }

    @Test
    void whereNoneIsSickOthersStay() {
        assertThat(SuspectDataNodes.NONE.excluded(Set.of(ONE), Map.of(TWO, "regions do not open there")))
                .isEqualTo(Map.of(TWO, "regions do not open there"));
    }
}
