// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.sim.ScenarioFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of scenarios in docs/simulate.md is made of how each scenario file describes itself. */
class SimulatePageTest {

    private static final Path PAGE = HearthScript.ROOT.resolve("docs/simulate.md");
    private static final Path SCENARIOS = HearthScript.ROOT.resolve("bench/src/main/scenarios");

    /** From the table's first line to the empty line after it. */
    private static final Pattern TABLE =
            Pattern.compile("\\| scenario \\| what happens \\|.*?\\R(?=\\R)", Pattern.DOTALL);

    @Test
    void theTableHasEveryScenarioInItsOwnWords() throws Exception {
        String page = Files.readString(PAGE);
        Matcher table = TABLE.matcher(page);
        assertThat(table.find()).as("a table of scenarios in " + PAGE).isTrue();
        if (Boolean.getBoolean("hearth.docs.write")) {
            Files.writeString(PAGE, page.substring(0, table.start()) + table() + page.substring(table.end()));
            return;
        }

        assertThat(table.group())
                .as("the table of docs/simulate.md is out of date; make it again with: mvn -pl tests -am test"
                        + " -Dtest=SimulatePageTest -Dsurefire.failIfNoSpecifiedTests=false -Dhearth.docs.write=true")
                .isEqualTo(table());
    }

    /** The first sentence; of a long one as much as ends before its twentieth word. */
    private static String beginning(String description) {
        String sentence = description.split("(?<=\\.) ", 2)[0].replaceFirst("\\.$", "");
        String[] words = sentence.split(" ");
        int end = words.length;
        for (int word = 5; words.length > 20 && word < 20; word++) {
            end = words[word].matches(".*[,;:]") ? word + 1 : end;
        }
        return String.join(" ", Arrays.copyOf(words, end)).replaceFirst("[,;:]$", "");
    }

    private static String table() throws Exception {
        StringBuilder rows = new StringBuilder("| scenario | what happens |\n|---|---|\n");
        for (Path file : ScenarioFiles.in(SCENARIOS)) {
            String description = ScenarioFiles.description(file);
            assertThat(description).as("a comment at the begin of " + file).isNotEmpty();
            rows.append("| [%s](../bench/src/main/scenarios/%s) | %s |\n"
                    .formatted(ScenarioFiles.read(file).name(), file.getFileName(), beginning(description)));
        }
        return rows.toString();
    }
}
