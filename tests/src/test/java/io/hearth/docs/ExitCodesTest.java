// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of exit codes in docs/operate.md is that of the commands. */
class ExitCodesTest {

    private static final int STOPPED_BY_SIGTERM = 143;

    @Test
    void theTableHasEveryCodeAndNoOther() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("../docs/operate.md"));
        Set<Integer> documented = lines.stream()
                .skip(lines.indexOf("| exit code | meaning |") + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .flatMap(line -> Arrays.stream(line.split("\\|")[1].split(",")))
                .map(code -> Integer.valueOf(code.strip()))
                .collect(Collectors.toCollection(TreeSet::new));

        Set<Integer> known =
                Arrays.stream(ExitCode.values()).map(ExitCode::code).collect(Collectors.toCollection(TreeSet::new));
        known.add(STOPPED_BY_SIGTERM);
        assertThat(documented).isEqualTo(known);
    }
}
