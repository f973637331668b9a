// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.fleet.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.fleet.model.FleetFixtures;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class FleetPageTest {

    private static final String PAGE = FleetPage.html(
            List.of(
                    FleetFixtures.good("west"),
                    FleetFixtures.bad("east"),
                    FleetFixtures.empty("new"),
                    FleetFixtures.silent("north", "<script>alert(1)</script>")),
            FleetFixtures.AT_MS);

    private static Document parsed() throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(PAGE.replaceFirst("(?i)<!DOCTYPE html>", ""))));
    }

    @Test
    void everyRowHasAsManyColumnsAsTheHead() throws Exception {
        NodeList rows = parsed().getElementsByTagName("tr");
        assertThat(rows.getLength()).isEqualTo(5);
        for (int row = 0; row < rows.getLength(); row++) {
            int columns = 0;
            for (var cell = rows.item(row).getFirstChild(); cell != null; cell = cell.getNextSibling()) {
                var span = cell.getAttributes() == null
                        ? null
                        : cell.getAttributes().getNamedItem("colspan");
                columns += cell.getAttributes() == null ? 0 : span == null ? 1 : Integer.parseInt(span.getNodeValue());
            }
            assertThat(columns).as("row " + row).isEqualTo(11);
        }
    }

    @Test
    void whatIsBadStandsOut() {
        assertThat(PAGE)
                .contains(
                        "<li><b>4</b> clusters</li><li class=\"bad\"><b>1</b> did not answer</li>"
                                + "<li class=\"bad\"><b>1</b> with uneven load</li>"
                                + "<li class=\"bad\"><b>2</b> with a spent error budget</li>"
                                + "<li class=\"bad\"><b>1</b> with an error that the doctor found</li>"
                                + "<li class=\"bad\"><b>2</b> servers less than 80 % local</li>",
                        "<td class=\"bad\">41.0 %</td><td class=\"warn\">41.0 %</td><td class=\"warn\">2</td>"
                                + "<td class=\"bad\">3.40</td><td>1.02</td><td>1.10</td>",
                        "<td class=\"text bad\" title=\"gets spent 31 times, puts 100 %\">gets spent 31 times</td>",
                        "title=\"Reads ask the NameNode &quot;again&quot; &amp; again.\">ERROR read-block-locations, 2 more</td>",
                        "<td>97.0 %</td><td>97.0 %</td><td>0</td><td>1.08</td>")
                .contains("14 November 2023, 22:13 UTC");
    }

    @Test
    void whatIsUnknownSaysWhy() {
        assertThat(PAGE)
                .contains(
                        "<td class=\"u\" colspan=\"4\">no store files</td>",
                        "<td class=\"text u\">not watched</td><td class=\"text u\">none is in the master</td>",
                        "NO ANSWER: &lt;script&gt;alert(1)&lt;/script&gt;</td>")
                .doesNotContain("<script", "@@");
    }
}
