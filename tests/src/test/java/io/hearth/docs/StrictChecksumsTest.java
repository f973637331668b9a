// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Maven only warns of an artifact that is not what its checksum says, unless it is told to fail. */
class StrictChecksumsTest {

    private static final Pattern RUNS_MAVEN =
            Pattern.compile("(^|[ !(])mvn (-|clean|compile|test|package|verify|install|site|deploy)");
    private static final Pattern IS_STRICT = Pattern.compile(" (-C|--strict-checksums) ");

    @Test
    void everyScriptThatRunsMavenAsksForThem() throws IOException {
        List<String> runs = Stream.concat(lines("bin/hearth"), lines(".ci/run"))
                .map(String::strip)
                .filter(line ->
                        !line.startsWith("#") && RUNS_MAVEN.matcher(line).find() && !line.contains("--version"))
                .toList();

        assertThat(runs)
                .hasSizeGreaterThan(4)
                .allMatch(line -> IS_STRICT.matcher(line).find());
    }

    @Test
    void releaseChecksThatRunMavenAskForThemToo() throws IOException {
        assertThat(lines("tests/src/test/java/io/hearth/checks/MavenRun.java")
                        .filter(line -> line.contains("\"mvn\", ")))
                .isNotEmpty()
                .allMatch(line -> line.contains(" \"-C\", "));
    }

    private static Stream<String> lines(String script) throws IOException {
        return Files.readAllLines(HearthScript.ROOT.resolve(script)).stream();
    }
}
