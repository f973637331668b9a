// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of the documents lead somewhere, every page can be reached, and what names a page names one that there is. */
class DocumentLinksTest {

    private static final Path ROOT = HearthScript.ROOT;

    /** The target of a Markdown link or picture. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    /** A page as code, configuration and messages name it. */
    private static final Pattern PAGE_NAME = Pattern.compile("docs/(?:[a-z0-9-]+/)*[a-z0-9-]+\\.(?:md|png)");

    /** A class of tests of ours; those of HBase begin with Test. */
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z][A-Za-z0-9]*(?:Test|IT))(?:`|\\.)");

    private static final Set<String> KINDS =
            Set.of("java", "xml", "yml", "json", "sh", "service", "properties", "html", "js", "txt");

    @Test
    void everyLinkLeadsToAFileAndToAHeading() {
        List<String> dangling = new ArrayList<>();
        for (Path page : pages()) {
            for (String target : links(page)) {
                if (!target.contains("://") && !leads(page, target)) {
                    dangling.add(ROOT.relativize(page) + " -> " + target);
                }
            }
        }

        assertThat(dangling).isEmpty();
    }

    @Test
    void everyPageIsReachedFromTheReadme() {
        Set<Path> reached = new HashSet<>();
        List<Path> next = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        while (!next.isEmpty()) {
            Path page = next.remove(next.size() - 1);
            if (reached.add(page)) {
                links(page).stream()
                        .map(target -> target.split("#", 2)[0])
                        .filter(target -> target.endsWith(".md") && !target.contains("://"))
                        .map(target -> page.resolveSibling(target).normalize())
                        .filter(pages()::contains)
                        .forEach(next::add);
            }
        }

        assertThat(markdown(ROOT.resolve("docs"))).isSubsetOf(reached);
    }

    @Test
    void whatNamesAPageNamesOneThatThereIs() throws IOException {
        Set<String> missing = new TreeSet<>();
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(DocumentLinksTest::isOurs).toList()) {
                Matcher name = PAGE_NAME.matcher(text(file));
                while (name.find()) {
                    if (!Files.exists(ROOT.resolve(name.group()))) {
                        missing.add(ROOT.relativize(file) + " names " + name.group());
                    }
                }
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void everyTestThatAPageNamesIsThere() {
        Set<String> classes = classes();
        Set<String> missing = new TreeSet<>();
        for (Path page : pages()) {
            TEST_NAME
                    .matcher(text(page))
                    .results()
                    .map(name -> name.group(1))
                    .filter(name -> !classes.contains(name))
                    .forEach(name -> missing.add(ROOT.relativize(page) + " names " + name));
        }

        assertThat(missing).isEmpty();
    }

    /** The names of all source files of the tree. */
    static Set<String> classes() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Written by a person and not made by a build. */
    private static boolean isOurs(Path file) {
        String path = ROOT.relativize(file).toString().replace('\\', '/');
        String name = file.getFileName().toString();
        boolean isKind = KINDS.contains(name.substring(name.lastIndexOf('.') + 1)) || path.equals("bin/hearth");
        return isKind && Files.isRegularFile(file) && !("/" + path).matches(".*/(target|\\.git|node_modules)/.*");
    }

    private static boolean leads(Path page, String target) {
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
    }

    /** The anchors of a page's headings, as GitHub makes them. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new HashSet<>();
        withoutCode(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{Alnum}\\- _]", "").replace(' ', '-'))
                .forEach(anchors::add);
        return anchors;
    }

    private static List<String> links(Path page) {
        return LINK.matcher(withoutCode(page).replaceAll("`[^`\n]*`", "code"))
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();
    }

    private static String withoutCode(Path page) {
        return text(page).replaceAll("(?ms)^ *```.*?^ *```$", "");
    }

    /** Every page but the history, whose links are those of its time. */
    static List<Path> pages() {
        List<Path> pages = new ArrayList<>(markdown(ROOT.resolve("docs")));
        pages.addAll(markdown(ROOT.resolve("docs/decisions")));
        pages.add(ROOT.resolve("README.md"));
        pages.add(ROOT.resolve("CONTRIBUTING.md"));
        return pages;
    }

    static List<Path> markdown(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
