// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class HtmlReportTest {
    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

    private final String page = HtmlReport.page(SampleReports.small());

    @Test
    void the_page_is_well_formed() {
        String markup = SCRIPT.matcher(page).replaceAll("");

        assertThatCode(() -> DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(markup))))
                .doesNotThrowAnyException();
        assertThat(page).doesNotContain("@@");
    }

    @Test
    void the_page_asks_for_nothing_outside_itself() {
        String ownText = page.replace(
                SCRIPT.matcher(page).results().findFirst().orElseThrow().group(1), "");

        assertThat(ownText).doesNotContainPattern("https?://|\\bsrc=|\\bhref=|@import|url\\(|fetch\\(");
        assertThat(page).doesNotContain("sourceMappingURL");
    }

    @Test
    void the_figures_are_in_the_page_without_any_script() {
        String markup = SCRIPT.matcher(page).replaceAll("");

        assertThat(markup)
                .contains("2026-11-21 09:30 UTC, 187 seconds")
                .contains(
                        "<span class=\"was\">3.31</span><span class=\"arrow\">&#8594;</span><span class=\"is\">1.04</span>")
                .contains("The same servers could hold <strong>3.2 times the reads, - times the writes</strong>:")
                .contains("1,234", "412", "37.0 MB", "41.4 %", "99.9 %", "unknown", "1.50")
                .contains("the crash of host10", "41 % &#8594; 100 %", "24.0 MB", "23.0 MB", "0.96", "14 s")
                .contains("not measured: fsck said &lt;nothing&gt; &amp; left")
                .contains("17 &quot;tested&quot; &lt;b&gt;")
                .contains("Skewed &lt;on purpose&gt;");
    }

    @Test
    void the_timeline_is_data_in_the_page_that_cannot_end_its_script() {
        Matcher data = Pattern.compile("var data = (\\{.*});").matcher(page);
        assertThat(data.find()).isTrue();
        JsonObject json = JsonParser.parseString(data.group(1)).getAsJsonObject();

        assertThat(json.get("seconds").toString()).isEqualTo("[0.0,2.0]");
        assertThat(json.get("hosts").toString())
                .contains("host1\"", "host10\"", "killed")
                .containsSubsequence("host1\"", "host10\"");
        assertThat(json.get("reads").toString()).isEqualTo("[[null,123.0],[null,0.0]]");
        assertThat(json.get("locality").toString()).isEqualTo("[[100.0,25.0],[50.0,null]]");
        assertThat(data.group(1)).doesNotContain("</script>");
        assertThat(json.get("events")
                        .getAsJsonArray()
                        .get(0)
                        .getAsJsonObject()
                        .get("label")
                        .getAsString())
                .isEqualTo("balancer on </script>");
    }

    @Test
    void the_library_is_in_the_page() {
        assertThat(page).contains("Chart.js v4.4.3").hasSizeGreaterThan(150_000);
    }
}
