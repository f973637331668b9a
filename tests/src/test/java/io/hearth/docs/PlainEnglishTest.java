// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The documents have short sentences and the field's words; what a command prints and what code is called is left as it is. Comments
 * of the code have not the worst of the old words.
 */
class PlainEnglishTest {

    private static final int MOST_WORDS = 25;

    /** Words of this project alone, for which HBase, HDFS or a textbook has another. */
    private static final Pattern COINED = Pattern.compile(
            "\\b(at home|(come|comes|came|bring|brings|brought) home|giver|bounced?|NameNode's word|seams?|ledger"
                    + "|giants?|max/avg|knee|shadow mode|the house|bridges?|bars?)\\b",
            Pattern.CASE_INSENSITIVE);

    /** Those of them that are gone from the comments of the code too. */
    private static final Pattern COINED_IN_CODE = Pattern.compile(
            "\\b(givers?|bounced?|bounces|ledger|knee|errands?|workbench|brake|by hand|(takes?|took|taking) (the )?word"
                    + "|by the word of|(?<!\\bin )flights?|lift(s|ed)? (\\w+ )?pins?|trails?"
                    + "|(come|comes|came|bring|brings|brought)( it| everything| its data| bytes)? home|puts? (\\w+ )?aside)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?<=\\s)//[^\\n]*", Pattern.DOTALL);

    /** An empty line, or the beginning of an item, of a row or of a heading. */
    private static final Pattern PARAGRAPH =
            Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:[-*]|\\d+\\.) )|\\n(?=\\|)|\\n(?=#)");

    @Test
    void noSentenceHasMoreWordsThanCanBeReadAtOnce() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path page : pages()) {
            for (String sentence : sentences(page)) {
                long words = Arrays.stream(sentence.split("\\s+"))
                        .filter(word -> word.matches(".*\\w.*"))
                        .count();
                if (words > MOST_WORDS) {
                    tooLong.add(page.getFileName() + ", " + words + " words: " + sentence);
                }
            }
        }

        assertThat(tooLong).isEmpty();
    }

    @Test
    void noWordIsOfThisProjectAlone() throws IOException {
        List<String> coined = new ArrayList<>();
        for (Path page : pages()) {
            prose(page)
                    .lines()
                    .filter(line -> COINED.matcher(line).find())
                    .forEach(line -> coined.add(page.getFileName() + ": " + line));
        }

        assertThat(coined).isEmpty();
    }

    @Test
    void noCommentOfTheCodeHasAWordOfThisProjectAlone() throws IOException {
        List<String> coined = new ArrayList<>();
        for (Path file : sources()) {
            Matcher comment = COMMENT.matcher(Files.readString(file));
            while (comment.find()) {
                comment.group()
                        .lines()
                        .filter(line -> COINED_IN_CODE.matcher(line).find())
                        .forEach(line -> coined.add(file.getFileName() + ": " + line.strip()));
            }
        }

        assertThat(coined).isEmpty();
    }

    /** What no newcomer understood on the page and in the commands, in the texts that those show. */
    @Test
    void nothingThatIsShownHasAWordThatANewcomerDoesNotKnow() throws IOException {
        Pattern unknown = Pattern.compile(
                "no fewer than|0 \\+ 0|left its server|no key is known|\\blower bound|bound [0-9%]",
                Pattern.CASE_INSENSITIVE);
        List<Path> files = new ArrayList<>();
        for (String folder : List.of(
                "coprocessor/src/main/resources/io/hearth/ui",
                "coprocessor/src/main/java/io/hearth/ui",
                "coprocessor/src/main/java/io/hearth/doctor",
                "cli/src/main/java/io/hearth/cli",
                "balancer/src/main/java/io/hearth/balancer/plan")) {
            try (Stream<Path> all = Files.walk(HearthScript.ROOT.resolve(folder))) {
                all.filter(file -> file.toString().matches(".*\\.(java|js|html)"))
                        .forEach(files::add);
            }
        }
        assertThat(files).hasSizeGreaterThan(100);
        List<String> shown = new ArrayList<>();
        for (Path file : files) {
            Matcher text = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`|>[^<]*<")
                    .matcher(COMMENT.matcher(Files.readString(file)).replaceAll(" "));
            while (text.find()) {
                if (unknown.matcher(text.group()).find()) {
                    shown.add(file.getFileName() + ": " + text.group());
                }
            }
        }

        assertThat(shown).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of(
                "common", "balancer", "coprocessor", "datanode", "datanode-alluxio", "cli", "testkit", "bench")) {
            try (Stream<Path> files = Files.walk(HearthScript.ROOT.resolve(module + "/src/main"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertThat(sources).hasSizeGreaterThan(500);
        return sources;
    }

    private static List<Path> pages() {
        return Stream.concat(
                        Stream.of(HearthScript.ROOT.resolve("README.md"), HearthScript.ROOT.resolve("CONTRIBUTING.md")),
                        DocumentLinksTest.markdown(HearthScript.ROOT.resolve("docs")).stream())
                .toList();
    }

    /** What ends with a full stop, a colon or a semicolon; a cell of a table is a paragraph of its own. */
    private static List<String> sentences(Path page) throws IOException {
        return PARAGRAPH
                .splitAsStream(prose(page))
                .map(String::strip)
                .flatMap(paragraph ->
                        paragraph.startsWith("|") ? Arrays.stream(paragraph.split("[|]")) : Stream.of(paragraph))
                .flatMap(text -> Arrays.stream(text.replace('\n', ' ').split("(?<=[.?!;:])\\s+")))
                .toList();
    }

    /** The text without blocks of code, identifiers and targets of links. */
    private static String prose(Path page) throws IOException {
        return Files.readString(page)
                .replaceAll("(?ms)^ *```.*?^ *```$", "")
                .replaceAll("(?s)<!--.*?-->", "")
                .replaceAll("`[^`\n]*`", "code")
                .replaceAll("\\[[^\\]]*\\]\\(\\.\\./bench[^)]*\\)", "scenario")
                .replaceAll("\\]\\([^)]*\\)", "]");
    }
}
