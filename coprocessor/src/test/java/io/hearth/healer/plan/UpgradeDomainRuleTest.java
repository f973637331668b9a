// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DataNodes of {@code a1:x}: node a1 in upgrade domain x. */
class UpgradeDomainRuleTest {

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
                .map(UpgradeDomainRuleTest::node)
                .toList();

        assertThat(new UpgradeDomainRule(factor).mayReplace(nodes, node(source), node(target)))
                .isEqualTo(allowed);
    }

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
