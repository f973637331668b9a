// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.RawSettings.MapSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which known key is offered for one that nobody knows. */
class UnknownKeysTest {

    private static final List<String> KNOWN =
            List.of("hearth.balancer.mode", "hearth.balancer.rest.ms", "hearth.balancer.test.ms", "hearth.lamp");

    @ParameterizedTest
    @CsvSource({
        // A letter more, less and another.
        "hearth.balancer.modes, hearth.balancer.mode",
        "hearth.balancer.mod, hearth.balancer.mode",
        "hearth.balancer.made, hearth.balancer.mode",
        // Two are equally near: the first by name.
        "hearth.balancer.best.ms, hearth.balancer.rest.ms",
        // A section that nobody knows, and the name of the key is one.
        "hearth.balances.mode, hearth.balancer.mode",
        "hearth.other.rest.ms, hearth.heal.rest.ms",
        // A third of its length may differ (5 of 16 letters), and no more.
        "hearth.lamp12345, hearth.lamp",
        "hearth.lamp123456, ''",
        // Without a section there is none to replace.
        "hearth.lump, hearth.lamp",
        "hearth.zzzzzzzz, ''",
    })
    void theNearestIsOffered(String key, String nearest) {
        List<ConfigProblem> problems = UnknownKeys.find(
                "hbase-site.xml", new MapSettings(Map.of(key, "1")), "hearth.", KNOWN::contains, KNOWN);

        assertThat(problems)
                .singleElement()
                .hasToString(key + " in hbase-site.xml is not a key of Hearth and has no effect."
                        + (nearest.isEmpty() ? "" : " The nearest known key is " + nearest + "."));
    }

    /** Its new name is not the nearest one. */
    @Test
    void aRenamedKeyIsNamedAsItIsNow() {
        assertThat(UnknownKeys.find(
                        "hbase-site.xml",
                        new MapSettings(Map.of("hearth.balancer.knee", "0.5")),
                        "hearth.",
                        KNOWN::contains,
                        KNOWN))
                .singleElement()
                .hasToString("hearth.balancer.knee in hbase-site.xml was renamed to"
                        + " hearth.balancer.plan.min.marginal.gain.ratio and has no effect under its old name.");
    }
}
