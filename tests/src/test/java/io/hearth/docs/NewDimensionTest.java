// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The worked example of docs/architecture.md, which adds a dimension of load, fits the files as they are, and they are all. */
class NewDimensionTest {

    private static final Path ROOT = Path.of("..");

    /** As many as one may have to touch, tests and documents among them. */
    private static final int MOST_FILES = 8;

    /** Where a dimension that is there is named for what it alone is, and a new one need not be. */
    private static final Set<String> NAMED_FOR_ITSELF =
            Set.of("balancer/src/main/java/io/hearth/balancer/heat/ingest/PlausibilityCheck.java");

    /** The lines of the example by file, each with its first character: + is new, - goes, a blank stays. */
    private static Map<String, List<String>> example() throws IOException {
        Matcher diff = Pattern.compile("## A new cost dimension\n.*?```diff\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("docs/architecture.md")));
        assertThat(diff.find()).isTrue();
        Map<String, List<String>> linesByFile = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        for (String line : diff.group(1).split("\n")) {
            if (line.startsWith("+++ ")) {
                lines = new ArrayList<>();
                linesByFile.put(line.substring(4), lines);
            } else {
                lines.add(line);
            }
        }
        return linesByFile;
    }

    @Test
    void theExampleFitsTheFilesAsTheyAre() throws IOException {
        Map<String, List<String>> example = example();

        assertThat(example).hasSizeBetween(2, MOST_FILES);
        for (Map.Entry<String, List<String>> file : example.entrySet()) {
            String text = Files.readString(ROOT.resolve(file.getKey()));
            assertThat(file.getValue()).as("%s", file.getKey()).anyMatch(line -> line.startsWith("+"));
            for (String line : file.getValue()) {
                String code = line.substring(1).strip();
                if (line.startsWith("+")) {
                    assertThat(text).as("%s", file.getKey()).doesNotContain(code);
                } else {
                    assertThat(text).as("%s", file.getKey()).contains(code);
                }
            }
        }
    }

    /** The memstore stands for any dimension: it is one like the others, and code that goes over all of them has no name of it. */
    @Test
    void noOtherFileNamesEachDimension() throws IOException {
        Set<String> naming = new TreeSet<>();
        for (String folder : List.of("common", "balancer", "coprocessor", "cli", "bench")) {
            Path main = ROOT.resolve(folder).resolve("src/main");
            try (Stream<Path> files = Files.walk(main)) {
                files.filter(Files::isRegularFile)
                        .filter(NewDimensionTest::namesTheMemstore)
                        .forEach(file -> naming.add(ROOT.relativize(file).toString()));
            }
        }
        naming.removeAll(NAMED_FOR_ITSELF);
        naming.removeIf(file -> file.contains("/io/hearth/bench/"));

        assertThat(example().keySet()).containsAll(naming);
        assertThat(naming).hasSizeGreaterThan(2);
    }

    private static boolean namesTheMemstore(Path file) {
        try {
            String text = Files.readString(file);
            return (text.contains("LoadDimension") && text.matches("(?s).*\\bMEMSTORE\\b.*"))
                    || Stream.of("memstoreBytes'", "memstoreHeatCost", "memstoreMaxOverMean", "withMemstore")
                            .anyMatch(text::contains);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
