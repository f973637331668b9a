// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import io.hearth.ui.model.Page;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page in a real browser: whether it draws, asks nobody else and complains of nothing; with pictures to look at. */
class PageScreenshotsIT {

    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String DRAWN = "document.body.dataset.drawn === 'yes'";
    private static final String PAINTED = "(document.getElementById('picture').scrollIntoView(),"
            + " !!document.getElementById('canvas').dataset.drawMs)";

    @BeforeAll
    static void thereIsABrowser() {
        assumeTrue(
                Chromium.program().isPresent(),
                "Skipped: no chromium is on the PATH. On Debian and Ubuntu: sudo apt-get install -y chromium");
    }

    @Test
    @Tag("soak")
    void empty() throws Exception {
        pictures("empty", SamplePages.empty());
    }

    @Test
    void hot() throws Exception {
        pictures("hot", SamplePages.hot());
    }

    @Test
    @Tag("soak")
    void healing() throws Exception {
        pictures("healing", SamplePages.healing());
    }

    @Test
    @Tag("soak")
    void aHundredThousandRegions() throws Exception {
        pictures("large", SamplePages.large());
    }

    @Test
    void aHostileNameIsTextInABrowserToo() throws Exception {
        String script = "</script><script>document.title='owned'</script>";
        String image = "<img src=x onerror=\"document.title='owned'\">";
        Page page = new SampleCluster(3, List.of(script, image), 4, 2, 10, 2, 0.1).page();
        try (PageServer server = PageServer.of(page);
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);
            browser.await(PAINTED);

            assertThat(browser.run("document.querySelector('#hottest-table').textContent.includes('onerror=')"))
                    .isEqualTo("true");
            assertThat(browser.run("document.querySelectorAll('img, script').length + document.title"))
                    .isEqualTo("1Hearth");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void readCachesAreRowsThoseInTroubleFirst() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.hot());
                Chromium browser = Chromium.start()) {
            cachesPicture(browser, server.page(), "caches-light", 1400, false);
            cachesPicture(browser, server.page(), "caches-phone", 390, true);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static void cachesPicture(Chromium browser, URI page, String name, int width, boolean isPhone)
            throws IOException {
        browser.window(width, 844, false, isPhone);
        browser.open(page, DRAWN);
        browser.run("document.getElementById('caches').scrollIntoView()");
        assertThat(browser.run("[...document.querySelectorAll('#caches-body tbody tr')].map(row =>"
                        + " [...row.cells].map(cell => cell.textContent).join(' | ')).join('\\n')"))
                .isEqualTo("rs003.example.org | on switched off: its SSD failed | 0 B (0.0 %) | not known"
                        + " | 768 GB of 1.00 TB\n"
                        + "rs001.example.org | on | 7.00 TB (77.7 %) | 99.5 % | 768 GB of 1.00 TB\n"
                        + "rs002.example.org | shadow | 0 B (0.0 %) | not known | 768 GB of 1.00 TB");
        assertThat(Integer.parseInt(browser.run("document.documentElement.scrollWidth")))
                .as("nothing is cut off at the right of %s", name)
                .isLessThanOrEqualTo(width);
        browser.screenshot(PICTURES.resolve(name + ".png"), false);
    }

    /** A hostile reason is text, and where all are healthy there is nothing. */
    @Test
    void unhealthyDataNodesAreRowsTheWorstFirst() throws Exception {
        Page page = SamplePages.withUnhealthyDataNodes(
                SamplePages.hot(),
                List.of(
                        new UnhealthyHost(
                                "rs001.example.org", DataNodeState.PROBING, 0, "answers <b>again</b> (seen by a)"),
                        new UnhealthyHost(
                                "rs002.example.org",
                                DataNodeState.SUSPECT,
                                0,
                                "does not answer block moves in time (seen by rs003.example.org, rs004.example.org, rs005.example.org"
                                        + " and 7 more)"),
                        new UnhealthyHost("rs003.example.org", DataNodeState.DEAD, 0, "is not among those that live")));
        try (PageServer sick = PageServer.of(page);
                PageServer well = PageServer.of(SamplePages.hot());
                Chromium browser = Chromium.start()) {
            for (int width : List.of(1400, 390)) {
                browser.window(width, 844, false, width < 400);
                browser.open(sick.page(), DRAWN);
                browser.run("document.getElementById('datanodes').scrollIntoView()");
                assertThat(browser.run("[...document.querySelectorAll('#datanodes-body tbody tr')].map(row =>"
                                + " [0, 1, 3].map(cell => row.cells[cell].textContent).join(' | ')).join('\\n')"))
                        .isEqualTo("rs003.example.org | dead | it is not among those that live\n"
                                + "rs002.example.org | suspect | it does not answer block moves in time (seen by rs003.example.org,"
                                + " rs004.example.org, rs005.example.org and 7 more)\n"
                                + "rs001.example.org | probing | it answers <b>again</b> (seen by a)");
                assertThat(Integer.parseInt(browser.run("document.documentElement.scrollWidth")))
                        .as("nothing is cut off at the right of %d", width)
                        .isLessThanOrEqualTo(width);
                browser.screenshot(PICTURES.resolve("datanodes-" + width + ".png"), false);
            }
            browser.open(well.page(), DRAWN);
            assertThat(browser.run("document.getElementById('datanodes').offsetHeight + ''"))
                    .isEqualTo("0");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void whereNoDataNodeHasAReadCacheThereIsNothingOfOneAndAHostileHostIsText() throws Exception {
        String host = "<img src=x onerror=\"document.title='owned'\">";
        NodeReadCache sample = SamplePages.hot().input().doctor().readCaches().get(0);
        Page hostile = SamplePages.withReadCaches(SamplePages.hot(), List.of(new NodeReadCache(host, sample.cache())));
        Page none = SamplePages.withReadCaches(SamplePages.hot(), List.of());
        try (PageServer withHostile = PageServer.of(hostile);
                PageServer withNone = PageServer.of(none);
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(withHostile.page(), DRAWN);
            assertThat(browser.run("document.querySelector('#caches-body tbody td').textContent"))
                    .isEqualTo(host);
            assertThat(browser.run("document.querySelectorAll('img').length + document.title"))
                    .isEqualTo("0Hearth");
            browser.open(withNone.page(), DRAWN);
            assertThat(browser.run("document.getElementById('caches').offsetHeight + ''"
                            + " + document.getElementById('healing').offsetHeight"))
                    .matches("0[1-9]\\d*");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void theDoctorsFindingsAreOpenedByAClick() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.hot());
                Chromium browser = Chromium.start()) {
            doctorsPicture(browser, server.page(), "doctor-light", 1400, 900, false, false);
            doctorsPicture(browser, server.page(), "doctor-dark", 1400, 900, true, false);
            doctorsPicture(browser, server.page(), "doctor-phone", 390, 844, false, true);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static void doctorsPicture(
            Chromium browser, URI page, String name, int width, int height, boolean isDark, boolean isPhone)
            throws IOException {
        browser.window(width, height, isDark, isPhone);
        browser.open(page, DRAWN);
        browser.run("document.querySelectorAll('#doctor-body summary').forEach(one => one.click())");
        browser.run("document.getElementById('doctor-state').scrollIntoView()");
        assertThat(browser.run("document.getElementById('doctor-state').innerText"))
                .as("when it was asked, and how to ask it now")
                .containsPattern("as of [^·]*\\d\\d:\\d\\d · ")
                .contains("Run now");
        assertThat(browser.run("document.getElementById('doctor-body').innerText"))
                .contains(
                        "Healed blocks are read from afar",
                        "<value>10000</value>",
                        "hdfs dfsadmin -setBalancerBandwidth");
        assertThat(Integer.parseInt(browser.run("document.documentElement.scrollWidth")))
                .as("nothing is cut off at the right of %s", name)
                .isLessThanOrEqualTo(width);
        browser.screenshot(PICTURES.resolve(name + ".png"), false);
    }

    @Test
    void whatIsLocalByTheNameNodeAloneIsNotCalledRemote() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.healedAndNotReported());
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);
            String says = "local by the NameNode, not reported yet: 2 regions (reopening them corrects the reports);"
                    + " in hbase shell: unassign '00aa'; assign '00aa', and so for 1 more";

            assertThat(browser.run("document.getElementById('healing-body').innerText"))
                    .contains("as servers report; nothing remote", says)
                    .doesNotContain("B remote");
            assertThat(browser.run("document.getElementById('overview').innerText"))
                    .containsIgnoringCase("all of it, by the NameNode")
                    .contains(says)
                    .doesNotContain("B remote");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Broken: each rack had 0.00 times its fair share before any heat was known, and days without a row had a head. */
    @Test
    void whatIsNotKnownIsNeitherZeroNorAnEmptyTable() throws Exception {
        try (PageServer empty = PageServer.of(SamplePages.empty());
                PageServer hot = PageServer.of(SamplePages.hot());
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(empty.page(), DRAWN);
            assertThat(browser.run("document.getElementById('racks').textContent"))
                    .contains("/dc1/rack1 · 2 servers · reads not known · writes not known")
                    .doesNotContain("×");

            browser.open(hot.page(), DRAWN);
            assertThat(browser.run("document.getElementById('racks').textContent"))
                    .containsPattern("/dc1/rack1 · 8 servers · reads [0-9.]+× · writes [0-9.]+×");
            assertThat(browser.run("document.getElementById('plans-body').textContent"))
                    .contains("Compared with the stock balancer")
                    .doesNotContain("Plans with moves");
            assertThat(browser.run("document.querySelectorAll('table:not(:has(tbody tr))').length"))
                    .as("tables without a row")
                    .isEqualTo("0");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Broken (links to the master's own pages, which bin/hearth ui does not have): each is a 404. */
    @Test
    void besideNoMasterThereAreNoLinksToItsPages() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.hot(), "{\"allowed\":false,\"inMaster\":false}");
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);
            assertThat(browser.run("[...document.querySelectorAll('a')].map(link => link.getAttribute('href'))"
                            + ".filter(to => to.startsWith('/') && !to.startsWith('/hearth')).join()"))
                    .isEmpty();
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void whatHoldsHealingBackIsSaid() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.healing());
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);

            assertThat(browser.run("document.getElementById('healing-outlook').innerText"))
                    .matches(
                            "Healing: held back by bandwidth of DataNodes; most is left for rs\\d+\\.example\\.org:16020"
                                    + " \\([0-9.]+ .B\\), .*; all is local at .* at this rate\\.");
            browser.run("document.getElementById('healing-body').scrollIntoView()");
            browser.screenshot(PICTURES.resolve("healing-held-back.png"), false);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Broken (what was clicked stays disabled, or asks for ever): nothing is drawn any more, under a fresh "as of". */
    @Test
    void thePageIsDrawnAgainAfterAnActionAndAfterOneThatNobodyConfirms() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.healing(), "{\"allowed\":true}");
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);
            String pause = "document.querySelector('#healing-body [data-action=pause-healing]')";

            browser.run("(" + pause + ".click(), " + pause + ".click())");
            browser.await(pause + ".textContent === 'Done.'");
            browser.await(pause + ".textContent === 'Pause healing'");

            browser.run(pause + ".click()");
            assertThat(browser.run(pause + ".textContent")).isEqualTo("Pause healing: sure?");
            browser.await(pause + ".textContent === 'Pause healing'");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    void ratesSayTheirHalfLifeAndPlansTheirScope() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.hot());
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);

            assertThat(browser.run("document.getElementById('overview').innerText"))
                    .contains("half-life 5 min; between the last two reports");
            assertThat(browser.run("document.getElementById('plans-body').textContent"))
                    .contains("all tables together", "gain: what moves count by")
                    .doesNotContain("hbase:ensemble");
            assertThat(browser.complaints()).isEmpty();
        }
    }

    @Test
    @Tag("soak")
    void serversAreSortedByAClick() throws Exception {
        try (PageServer server = PageServer.of(SamplePages.hot());
                Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(server.page(), DRAWN);
            String first = "document.querySelector('#servers-table tbody td').textContent";
            String byName =
                    "[...document.querySelectorAll('#servers-table th button')].find(b => b.textContent === 'Server')";
            assertThat(browser.run(first)).as("the busiest").isNotEqualTo("rs001.example.org:16020");
            browser.run(byName + ".click()");
            assertThat(browser.run(first)).isEqualTo("rs001.example.org:16020");
            browser.run(byName + ".click()");
            assertThat(browser.run(first)).isEqualTo("rs024.example.org:16020");
        }
    }

    private static void pictures(String name, Page page) throws IOException {
        try (PageServer server = PageServer.of(page);
                Chromium browser = Chromium.start()) {
            picture(browser, server.page(), name + "-light", 1400, 900, false, false);
            picture(browser, server.page(), name + "-dark", 1400, 900, true, false);
            picture(browser, server.page(), name + "-phone", 390, 844, false, true);
            URI byLocality = URI.create(server.page() + "?colour=locality");
            picture(browser, byLocality, name + "-locality-dark", 1400, 900, true, false);

            assertThat(browser.complaints()).isEmpty();
            assertThat(browser.requests())
                    .allMatch(url -> url.startsWith("http://127.0.0.1:") || url.startsWith("data:"));
        }
    }

    private static void picture(
            Chromium browser, URI page, String name, int width, int height, boolean isDark, boolean isPhone)
            throws IOException {
        browser.window(width, height, isDark, isPhone);
        browser.open(page, DRAWN);
        browser.screenshot(PICTURES.resolve(name + "-top.png"), false);
        browser.await(PAINTED);
        assertThat(Integer.parseInt(browser.run("document.documentElement.scrollWidth")))
                .as("nothing is cut off at the right of %s", name)
                .isLessThanOrEqualTo(width);
        browser.screenshot(PICTURES.resolve(name + "-picture.png"), false);
        browser.run("scrollTo(0, 0)");
        browser.screenshot(PICTURES.resolve(name + ".png"), true);
        System.out.println(
                name + ": the picture took " + browser.run("document.getElementById('canvas').dataset.drawMs") + " ms");
    }
}
