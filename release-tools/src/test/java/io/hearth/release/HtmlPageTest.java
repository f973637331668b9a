// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class HtmlPageTest {

    private static final Set<String> PUBLISHED =
            Set.of("README.md", "docs/install.md", "docs/operate.md", "conf/presets/large.xml", "docs/images/page.png");

    private static String rendered(String document, String markdown) {
        return HtmlPage.render(document, markdown, PUBLISHED::contains);
    }

    @Test
    void linksToDocumentsLeadToTheirHtml() {
        assertThat(rendered("docs/install.md", "[a](operate.md), [b](operate.md#stop-it), [c](../README.md), [d](#e)"))
                .contains("<a href=\"operate.html\">a</a>, <a href=\"operate.html#stop-it\">b</a>,"
                        + " <a href=\"../README.html\">c</a>, <a href=\"#e\">d</a>");
    }

    @Test
    void linksToOtherPublishedFilesAndToOtherPlacesStay() {
        assertThat(rendered(
                        "docs/install.md",
                        "[a](../conf/presets/large.xml), [b](https://pitest.org), ![c](images/page.png)"))
                .contains("<a href=\"../conf/presets/large.xml\">a</a>, <a href=\"https://pitest.org\">b</a>,"
                        + " <img src=\"images/page.png\" alt=\"c\" />");
    }

    @Test
    void ofALinkToWhatIsNotPublishedTheTextStays() {
        assertThat(rendered("docs/simulate.md", "See [`a` **b**](../bench/src/main/scenarios/diurnal.yaml) and c."))
                .contains("<p>See <code>a</code> <strong>b</strong> and c.</p>");
    }

    @Test
    void headingsHaveTheAnchorsOfGithub() {
        assertThat(rendered("README.md", "# A `bin/hearth` run, twice!\n\n## Files\n\n## Files\n"))
                .contains(
                        "<title>A bin/hearth run, twice!</title>",
                        "<h1 id=\"a-binhearth-run-twice\">",
                        "<h2 id=\"files\">Files</h2>\n<h2 id=\"files-1\">Files</h2>");
    }

    @Test
    void tablesAreTablesAndCodeIsNotMarkup() {
        assertThat(rendered("README.md", "| a | b |\n|---|---|\n| `<c>` | d |\n\n```xml\n<value>&</value>\n```\n"))
                .contains(
                        "<td><code>&lt;c&gt;</code></td>",
                        "<pre><code class=\"language-xml\">&lt;value&gt;&amp;&lt;/value&gt;\n</code></pre>");
    }

    @Test
    void everyPageLeadsBackToTheFirstOneAndLoadsNothingFromElsewhere() {
        assertThat(rendered("README.md", "# A & B")).contains("<a href=\"README.html\">Hearth</a>", "<title>A &amp; B");
        String deep = rendered("docs/decisions/0001-rates-from-server-reports.md", "# 1. R");
        assertThat(deep).contains("<a href=\"../../README.html\">Hearth</a>").doesNotContain("://", "<script", "<link");
    }
}
