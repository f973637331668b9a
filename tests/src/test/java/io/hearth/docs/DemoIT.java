// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's first command, as its reader types it. */
@Tag("soak")
@Tag("alone")
class DemoIT {

    @TempDir
    private Path folder;

    @Test
    void theDemoEndsEvenedAndHealed() throws Exception {
        HearthScript.Result demo = HearthScript.run(folder, Map.of(), 9, "demo");

        assertThat(demo.exitCode()).as(demo.output()).isZero();
        assertThat(demo.output())
                .contains("The cluster ended evened and healed")
                .doesNotContain("FAIL");
        assertThat(Files.readString(folder.resolve("demo-report.html")))
                .containsIgnoringCase("<html")
                .contains("Heat and locality of each server over time");
    }
}
