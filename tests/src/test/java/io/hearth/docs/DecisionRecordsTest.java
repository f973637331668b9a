// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The decision records, and what refers to them: a record that is renamed or folded into another one leaves no dangling link. */
class DecisionRecordsTest {

    private static final Path ROOT = Path.of("..");
    private static final Path FOLDER = ROOT.resolve("docs").resolve("decisions");

    /** Where documents, code and configuration are; build output is in none of them. */
    private static final List<String> SEARCHED = List.of(
            "docs",
            "conf",
            "common/src",
            "balancer/src",
            "coprocessor/src",
            "cli/src",
            "datanode/src",
            "datanode-alluxio/src",
            "testkit/src",
            "bench/src",
            "tests/src",
            "tests/hbase-3/src",
            "dist/src",
            "README.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md");

    /** As wc -w counts them: a link, a bar of a table and a number are a word each. */
    private static final int MOST_WORDS = 200;

    private static final Set<String> TEXTS = Set.of("md", "java", "xml", "txt", "properties");

    private static final Pattern FILE_NAME = Pattern.compile("(\\d{4})-[a-z0-9-]+\\.md");
    private static final Pattern NAMED_FILE = Pattern.compile("\\b\\d{4}-[a-z0-9]+(?:-[a-z0-9]+)*\\.md\\b");
    private static final Pattern NAMED_NUMBER = Pattern.compile(
            "(?:\\b[Dd]ecisions? |docs/decisions/)(\\d{1,4})\\b(?!-|,\\d)(?:(?:,| and) (\\d{1,4})\\b)?");

    @Test
    void everyReferenceIsToARecordThatIsThere() throws IOException {
        Set<String> files = names();
        Set<Integer> numbers = files.stream()
                .map(name -> Integer.valueOf(name.substring(0, 4)))
                .collect(Collectors.toSet());
        List<String> dangling = new ArrayList<>();
        int references = 0;
        for (Path path : searched()) {
            String text = Files.readString(path);
            Matcher file = NAMED_FILE.matcher(text);
            while (file.find()) {
                references++;
                if (!files.contains(file.group())) {
                    dangling.add(path + ": " + file.group());
                }
            }
            Matcher number = NAMED_NUMBER.matcher(text);
            while (number.find()) {
                references++;
                for (int group = 1; group <= number.groupCount(); group++) {
                    String named = number.group(group);
                    if (named != null && !numbers.contains(Integer.valueOf(named))) {
                        dangling.add(path + ": " + number.group());
                    }
                }
            }
        }

        assertThat(references).isGreaterThan(20);
        assertThat(dangling).isEmpty();
    }

    @Test
    void everyRecordHasItsNumberAndNoOtherHasIt() throws IOException {
        Set<String> numbers = new TreeSet<>();
        for (String name : names()) {
            Matcher parts = FILE_NAME.matcher(name);
            assertThat(parts.matches()).as(name).isTrue();
            assertThat(numbers.add(parts.group(1)))
                    .as("one record alone has " + parts.group(1))
                    .isTrue();
            assertThat(Files.readString(FOLDER.resolve(name)))
                    .as(name)
                    .startsWith("# " + Integer.parseInt(parts.group(1)) + ". ");
        }

        assertThat(numbers).hasSizeGreaterThan(40);
    }

    @Test
    void noRecordIsLongerThanIsAllowed() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (String name : names()) {
            int words = Files.readString(FOLDER.resolve(name)).strip().split("\\s+").length;
            if (words > MOST_WORDS) {
                tooLong.add(name + ": " + words);
            }
        }

        assertThat(tooLong).as("records of more than %d words", MOST_WORDS).isEmpty();
        for (String says : List.of("docs/decisions/README.md", "CONTRIBUTING.md")) {
            assertThat(Files.readString(ROOT.resolve(says))).as(says).contains("at most " + MOST_WORDS + " words");
        }
    }

    @Test
    void theTableListsEachRecordOnce() throws IOException {
        Matcher linked = NAMED_FILE.matcher(Files.readString(FOLDER.resolve("README.md")));
        List<String> listed = linked.results().map(MatchResult::group).toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(names());
    }

    private static Set<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(path -> path.getFileName().toString())
                    .filter(name -> Character.isDigit(name.charAt(0)))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static List<Path> searched() {
        return SEARCHED.stream()
                .map(ROOT::resolve)
                .filter(Files::exists)
                .flatMap(DecisionRecordsTest::texts)
                .toList();
    }

    private static Stream<Path> texts(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths
                    .filter(Files::isRegularFile)
                    .filter(path -> TEXTS.contains(extension(path)))
                    .filter(path -> !path.endsWith("DecisionRecordsTest.java"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String extension(Path path) {
        String name = path.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
