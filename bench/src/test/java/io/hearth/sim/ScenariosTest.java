// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario file's expectations hold; of the one that takes longest {@link HealedScenarioTest} sees to that. */
class ScenariosTest {

    private static final Path FOLDER = Path.of("src", "main", "scenarios");

    static List<Path> scenarios() throws IOException {
        return ScenarioFiles.in(FOLDER).stream()
                .filter(file -> !file.equals(HealedScenarioTest.FILE))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyExpectationHolds(Path file) throws Exception {
        ScenarioRun run = ScenarioRun.of(ScenarioFiles.read(file));

        assertThat(run.failed()).as(ScenarioResultTable.of(List.of(run))).isEmpty();
    }
}
