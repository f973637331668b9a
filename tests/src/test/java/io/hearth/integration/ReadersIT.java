// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.readers.ReaderResult;
import io.hearth.bench.readers.ReaderRun;
import io.hearth.bench.readers.ReaderScenario;
import io.hearth.bench.readers.ReaderSetup;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients of an open table while every block under it moves, with what {@code conf/} sets. */
@Tag("soak")
@Tag("alone")
class ReadersIT {

    @Test
    void readersNoticeNothingAndReadLocallyInTheEnd() throws Exception {
        Map<String, String> properties = ReaderSetup.HEARTH_WITH_JAR.properties(Path.of("..", "conf"));

        ReaderResult result = ReaderRun.run(ReaderScenario.quick(properties));

        assertThat(result.thresholds(ReaderSetup.HEARTH_WITH_JAR).violations())
                .as("%s", result)
                .isEmpty();
        assertThat(result.blocks()).as("%s", result).isGreaterThan(40);
        assertThat(result.quiet().reads()).as("%s", result).isGreaterThan(100);
        assertThat(result.moving().reads()).as("%s", result).isGreaterThan(100);
        assertThat(result.localShareBefore())
                .as("what was read locally before the moves: %s", result)
                .isLessThan(0.1);
    }
}
