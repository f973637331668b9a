package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Sentences of the documents that follow from something else. */
class DocumentStatementsTest {

    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void howManyFewerMovesIsWhatTheTableSays() throws IOException {
        String text = Files.readString(DOCS.resolve("benchmarks.md"));
        Matcher rows = Pattern.compile("([\\d,]+) \\([\\d,]+\\), hearth as even ([\\d,]+) \\(")
                .matcher(text);
        double least = Double.MAX_VALUE;
        double most = 0;
        while (rows.find()) {
            double ratio = number(rows.group(1)) / number(rows.group(2));
            least = Math.min(least, ratio);
            most = Math.max(most, ratio);
        }

        assertThat(text)
                .contains(String.format(
                        Locale.ROOT, "between 1/%d and 1/%d of stock's moves", Math.round(least), Math.round(most)));
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    @Test
    void theHooksOfTheMasterThatAreToldAreOverridden() throws Exception {
        String row = Files.readAllLines(DOCS.resolve("internals.md")).stream()
                .filter(line -> line.startsWith("| `MasterObserver`: "))
                .findFirst()
                .orElseThrow();
        List<String> hooks = Pattern.compile("`((?:pre|post)[A-Za-z]+)`")
                .matcher(row)
                .results()
                .map(match -> match.group(1))
                .toList();
        String source = Files.readString(
                Path.of("..", "coprocessor/src/main/java/io/hearth/healer/hbase/LocalityHealingObserver.java"));

        assertThat(hooks).isNotEmpty().allMatch(hook -> source.contains("void " + hook + "("));
    }

    @Test
    void theMetricsOfTheFirstWeekAreThere() throws IOException {
        String counters = Files.readString(
                Path.of("..", "coprocessor/src/main/java/io/hearth/healer/metrics/HealingCounter.java"));
        String gauges =
                Files.readString(Path.of("..", "coprocessor/src/main/java/io/hearth/healer/metrics/HealingGauge.java"));
        String row = Files.readAllLines(DOCS.resolve("operate.md")).stream()
                .filter(line -> line.contains("| `HearthHealing` on `/jmx` |"))
                .findFirst()
                .orElseThrow();

        assertThat(Pattern.compile("`([a-z][A-Za-z]+)`").matcher(row).results().map(match -> match.group(1)))
                .isNotEmpty()
                .allMatch(metric -> (counters + gauges).contains("\"" + metric + "\""));
    }
}
