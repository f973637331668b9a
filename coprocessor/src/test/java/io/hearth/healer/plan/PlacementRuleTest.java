// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.plan.PlacementRule.RackRule;
import io.hearth.healer.plan.PlacementRule.UpgradeDomainRule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementRuleTest {

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

    @ParameterizedTest(name = "{1} of {0} for {2} with factor {3}: {4}")
    @CsvSource({
        "a1:x b1:y b2:z, b2:z, c1:z, 3, true",
        "a1:x b1:y b2:z, b1:y, c1:z, 3, false",
        "a1:x b1:y b2:z, b1:y, c1:z, 2, true",
        "a1:x b1:y b2:y, b2:y, c1:x, 3, true",
        "a1:x b1:y b2:y, a1:x, c1:y, 3, false",
        "a1:x b1:y b2:y, b2:y, c1:z, 3, true",
        // A DataNode that names none is a domain of its own.
        "a1 b1 b2, b2, c1, 3, true",
        "a1:x b1 b2, b2, c1:x, 3, false",
        "a1:x b1 b2, a1:x, c1:x, 3, true",
    })
    void upgradeDomainsAreNotReducedBelowTheFactor(
            String holders, String source, String target, int factor, boolean allowed) {
        List<DataNode> nodes = Arrays.stream(holders.split(" ", -1))
                .map(PlacementRuleTest::node)
                .toList();

        assertThat(new UpgradeDomainRule(factor).mayReplace(nodes, node(source), node(target)))
                .isEqualTo(allowed);
    }

    /** A DataNode of {@code a1:x}: node a1 in upgrade domain x. */
    private static DataNode node(String text) {
        String[] parts = text.split(":", -1);
        DataNode plain = Racks.node(parts[0]);
        return new DataNode(
                plain.id(),
                plain.host(),
                plain.ipAddress(),
                plain.rack(),
                plain.state(),
                parts.length > 1 ? Optional.of(parts[1]) : Optional.empty(),
                plain.usedShare(),
                plain.freeBytes());
    }
}
