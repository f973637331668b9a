// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RackRuleTest {

    @ParameterizedTest(name = "{1} of {0} for {2}: {3}")
    @CsvSource({
        "a1 b1 b2, b1, c1, true",
        "a1 b1 b2, a1, c1, true",
        "a1 b1 b2, a1, a2, true",
        "a1 b1 b2, b1, a2, true",
        "a1 b1 b2, a1, b3, false",
        "a1 b1 b2, b2, b3, true",
        "a1 b1 c2, c2, c1, true",
        "a1 b1 c2, a1, c1, false",
        "a1 b1 c2, b1, c1, false",
        "a1, a1, a2, true",
        "a1, a1, b1, true",
    })
    void racksAreNotReduced(String holders, String source, String target, boolean allowed) {
        List<DataNode> nodes =
                Arrays.stream(holders.split(" ", -1)).map(Racks::node).toList();

        assertThat(new RackRule().mayReplace(nodes, Racks.node(source), Racks.node(target)))
                .isEqualTo(allowed);
    }
}
