// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTML of this tree's own documents. */
class HtmlDocumentsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");

    @TempDir
    private Path out;

    @Test
    void everyLinkLeadsToAFileAndToAHeadingAndEveryPageIsReached() throws IOException {
        HtmlDocuments.main(new String[] {ROOT.toString(), out.toString()});
        Set<Path> pages = new TreeSet<>();
        try (Stream<Path> files = Files.walk(out)) {
            files.filter(Files::isRegularFile).forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(60);

        Set<String> dangling = new LinkedHashSet<>();
        Set<Path> reached = new TreeSet<>();
        Deque<Path> next = new ArrayDeque<>(List.of(out.resolve("README.html"), out.resolve("CHANGELOG.html")));
        while (!next.isEmpty()) {
            Path page = next.remove();
            if (reached.add(page)) {
                for (String target : links(page)) {
                    follow(page, target, next, dangling);
                }
            }
        }

        assertThat(dangling).isEmpty();
        assertThat(reached)
                .containsAll(pages.stream()
                        .filter(page -> page.startsWith(out.resolve("docs")))
                        .toList());
    }

    /** Puts the page that this link leads to among the next; a file that is no page is where the document has it. */
    private void follow(Path page, String target, Deque<Path> next, Set<String> dangling) throws IOException {
        if (target.contains("://")) {
            return;
        }
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        boolean isPage = file.toString().endsWith(".html");
        Path place = isPage ? file : ROOT.resolve(out.relativize(file));
        if (!file.startsWith(out) || !Files.isRegularFile(place)) {
            dangling.add(out.relativize(page) + " -> " + target);
        } else if (parts.length == 2 && !Files.readString(place).contains(" id=\"" + parts[1] + "\"")) {
            dangling.add(out.relativize(page) + " -> " + target + ", which has no such heading");
        } else if (isPage) {
            next.add(file);
        }
    }

    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(Files.readString(page))
                .results()
                .map((MatchResult link) -> link.group(1))
                .toList();
    }
}
