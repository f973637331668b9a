// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hearth.balancer.engine.MasterWork;
import io.hearth.docs.MonitoringFiles;
import io.hearth.integration.HotServerLoad;
import io.hearth.integration.RegisteredMetrics;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.ui.hbase.UiMetrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The page in a real master's own web UI, with real requests and Hearth at work. Broken, one after the other: UiPaths takes whatever begins
 * with /hearth ("There is no /hearthside" where HBase had to answer), ActionAuthorizer asks for no header (200 for healing to pause),
 * ReadRequestHandler leaves the page's policy out (no style-src), regions.js draws none (no table of the hottest).
 */
@Tag("shared")
class PageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static EmbeddedCluster cluster;
    private static HotServerLoad hot;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        cluster = EmbeddedCluster.builder()
                .hosts(4)
                .racks(2)
                .withHearth()
                .property("hbase.master.info.port", "0")
                .property("hbase.master.info.bindAddress", "127.0.0.1")
                // At a port of the system's choice HBase would put another server in front, which redirects.
                .property("hbase.master.infoserver.redirect", "false")
                .property(
                        "hbase.http.filter.initializers",
                        TestUserInitializer.class.getName() + ",io.hearth.ui.hbase.HearthUiFilterInitializer")
                // A busy machine's client asks for little.
                .property("hearth.balancer.min.requests.per.second", "1")
                // Only to make time pass faster.
                .property("hearth.balancer.heat.min.observed.ms", "5000")
                .property("hearth.ui.sample.ms", "1000")
                .shared();
        hot = HotServerLoad.start(cluster, 24);
    }

    @AfterAll
    static void stop() throws Exception {
        if (hot != null) {
            hot.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void thePageAndItsApiShowTheClusterThatThereIs() throws Exception {
        awaitHeat();
        HttpResponse<String> page = get("/hearth");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(page.body().replace("http://www.w3.org/2000/svg", ""))
                .startsWith("<!DOCTYPE html>")
                .doesNotContain("http://", "https://");

        JsonObject all = json("/hearth/api/page");
        JsonObject overview = all.getAsJsonObject("overview");
        assertThat(overview.get("servers").getAsInt()).isEqualTo(4);
        assertThat(overview.getAsJsonObject("balancer").get("installed").getAsBoolean())
                .isTrue();
        assertThat(overview.getAsJsonObject("healing").get("state").getAsString())
                .isEqualTo("ON");
        assertThat(all.getAsJsonObject("state").getAsJsonArray("servers").asList())
                .extracting(server -> server.getAsJsonObject().get("rack").getAsString())
                .containsOnly("/rack1", "/rack2");
        JsonObject hottest = all.getAsJsonArray("hottest").get(0).getAsJsonObject();
        assertThat(hottest.get("table").getAsString()).isEqualTo("hot");
        assertThat(hottest.getAsJsonArray("recentRequestsPerSecond")).isNotEmpty();

        JsonObject treemap = json("/hearth/api/treemap");
        int regions = overview.get("regions").getAsInt();
        assertThat(treemap.getAsJsonArray("kib")).hasSizeBetween(regions - 1, regions + 1);
        assertThat(treemap.getAsJsonArray("tables").asList())
                .extracting(JsonElement::getAsString)
                .contains("hot", "hbase:meta");
        assertThat(RegisteredMetrics.counter(UiMetrics.INFO, "failures")).isZero();
    }

    /** Balancer, healer, page and doctor at once; other clusters of this JVM have threads of the same names. */
    @Test
    void aMasterHasTwelveThreadsOfHearthsAtMost() throws Exception {
        awaitHeat();
        json("/hearth/api/page");
        String ofThisMaster = cluster.master().getServerName().toShortString();
        await("nothing is healed any more").atMost(PATIENCE).untilAsserted(() -> assertThat(threads(ofThisMaster))
                .contains("hearth-page", "hearth-healer-" + ofThisMaster)
                .hasSizeLessThanOrEqualTo(12));
    }

    private static Set<String> threads(String master) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(MasterWork.THREADS))
                .filter(name -> !name.matches("hearth-healer-.*:.*") || name.contains(master))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theRestOfTheWebUiIsUntouched() throws Exception {
        // HBase takes all its beans out of JMX and puts them back when a region has come or gone; under
        // service=DataNode where the
        // DataNodes of this JVM were the last to name the metrics system.
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/jmx?qry=Hadoop:service=*,name=Master,sub=HearthUi")
                                .body())
                        .contains("\"Requests\""));
        assertThat(get("/master-status").statusCode()).isEqualTo(200);
        assertThat(get("/static/css/hbase.css").statusCode()).isEqualTo(200);
        assertThat(get("/static/hearth").statusCode()).isEqualTo(404);
        assertThat(get("/hearthside").statusCode()).isEqualTo(404);
        assertThat(get("/hearthside").body()).doesNotContain("problem");
    }

    /** Of docs/metrics.md, of the dashboard and of the alert rules; in this JVM are RegionServers as well. */
    @Test
    void everyMetricThatIsNamedAnywhereIsPrintedAtPrometheus() throws Exception {
        assertThat(MonitoringFiles.missingNames(""))
                .as("names that are looked for")
                .hasSizeGreaterThan(100);
        // Some are there from the first read of a store file on.
        cluster.admin().flush(HotServerLoad.TABLE);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        MonitoringFiles.missingNames(get("/prometheus").body()))
                .isEmpty());
    }

    @Test
    void whatIsNotThereIsSaid() throws Exception {
        assertThat(get("/hearth/api/x%3Cscript%3E").body())
                .isEqualTo("{\"problem\":\"There is no /hearth/api/x<script>. /hearth/api lists everything that"
                        + " there is.\"}");
        HttpResponse<String> post = post("/hearth/api/page", "ops", "{}", true);
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.body())
                .isEqualTo("{\"problem\":\"Only GET is allowed here; what changes something is under"
                        + " /hearth/api/actions.\"}");
        assertThat(get("/hearth/api/cell?at=1&index=0").statusCode()).isEqualTo(404);
        assertThat(get("/hearth/api/cell?at=soon&index=0").statusCode()).isEqualTo(400);
    }

    @Test
    void actionsNeedEveryGateAndDoWhatTheySay() throws Exception {
        assertThat(refused("pause-healing", "ops")).startsWith("This page is read-only. Set hearth.ui.actions");
        cluster.master().getConfiguration().setBoolean("hearth.ui.actions", true);
        assertThat(refused("pause-healing", "ops")).startsWith("HBase's web UI is read-only for you:");
        try {
            cluster.master().getConfiguration().set("hbase.security.authentication.ui", "kerberos");
            cluster.master().getConfiguration().setBoolean("hadoop.security.authorization", true);
            assertThat(refused("pause-healing", "mallory")).startsWith("HBase's web UI is read-only for you:");
            assertThat(refused("pause-healing", "ops"))
                    .startsWith(
                            "This page is read-only: neither hbase.security.authentication.spnego.admin.users nor ");
            cluster.master().getConfiguration().set("hbase.security.authentication.spnego.admin.users", "ops");
            assertThat(problem(post("/hearth/api/actions/pause-healing", "ops", "{}", false)))
                    .isEqualTo("An action needs the header X-XSRF-HEADER (any value), and must not come from a page of"
                            + " another server.");
            assertThat(get("/hearth/api/actions/pause-healing").statusCode()).isEqualTo(405);
            assertThat(problem(post("/hearth/api/actions/explode", "ops", "{}", true)))
                    .startsWith("There is no /hearth/api/actions/explode.");
            assertThat(problem(post("/hearth/api/actions/heal", "ops", "[1]", true)))
                    .startsWith("The body must be a JSON object");
            for (String wish :
                    List.of("{}", "{\"regions\":7}", "{\"regions\":[{}]}", "{\"region\":\"a\",\"table\":\"hot\"}")) {
                assertThat(problem(post("/hearth/api/actions/heal", "ops", wish, true)))
                        .isEqualTo("heal needs one of region (an encoded name), regions (a list of them) and table.");
            }

            done("pause-healing", "{}");
            awaitHealing("PAUSED", "ops on the master's page");
            assertThat(done("heal", "{\"table\":\"hot\"}"))
                    .isEqualTo("Asked for 24 regions, but nothing is moved now: healing is paused.");
            done("resume-healing", "{}");
            awaitHealing("ON", null);
            assertThat(done("heal", "{\"table\":\"hot\"}")).startsWith("Asked for 24 regions:");
            assertThat(problem(post("/hearth/api/actions/heal", "ops", "{\"table\":\"no<such\"}", true)))
                    .isEqualTo("There is no table no<such with regions.");
            assertThat(problem(post("/hearth/api/actions/remove-pin", "ops", "{\"region\":\"abc\"}", true)))
                    .isEqualTo("The region abc is not pinned by a manual move.");
            done("advise", "{}");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(get("/hearth/api/overview").body())
                            .contains("\"adviseOnly\":\"ops asked for advice only\""));
            assertThat(done("act", "{}")).isEqualTo("Plans are carried out from the next run on.");
            assertThat(Files.readString(cluster.logFile()))
                    .contains("pause-healing was asked for by ops on the master's page.")
                    .contains("pause-healing was refused to mallory by the page.");
        } finally {
            cluster.master().getConfiguration().unset("hbase.security.authentication.ui");
            cluster.master().getConfiguration().unset("hadoop.security.authorization");
            cluster.master().getConfiguration().unset("hearth.ui.actions");
            cluster.master().getConfiguration().unset("hbase.security.authentication.spnego.admin.users");
        }
    }

    @Test
    void aBrowserDrawsIt() throws Exception {
        assumeTrue(
                Chromium.program().isPresent(),
                "No chromium is on the PATH. On Debian and Ubuntu: sudo apt-get install -y chromium");
        awaitHeat();
        cluster.admin().balancerSwitch(true, true);
        cluster.admin().balance(BalanceRequest.defaultInstance());
        try (Chromium browser = Chromium.start()) {
            browser.window(1400, 900, false, false);
            browser.open(address("/hearth"), "document.body.dataset.drawn === 'yes'");
            browser.await("(scrollTo(0, document.getElementById('picture').offsetTop),"
                    + " !!document.getElementById('canvas').dataset.drawMs)");
            assertThat(browser.run("document.querySelector('#hottest-table tbody').textContent"))
                    .contains("hot");
            browser.run("scrollTo(0, 0)");
            browser.screenshot(Path.of("target", "screenshots", "real-master.png"), true);
            assertThat(browser.complaints()).isEmpty();
            assertThat(browser.requests())
                    .anyMatch(url -> url.endsWith("/hearth/api/page"))
                    .allMatch(url -> url.startsWith(address("/").toString()) || url.startsWith("data:"));
            browser.run("console.error('a complaint would be heard')");
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(browser.complaints())
                    .singleElement()
                    .asString()
                    .contains("a complaint would be heard"));
        } finally {
            cluster.admin().balancerSwitch(false, true);
        }
    }

    private void awaitHeat() {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(json("/hearth/api/overview")
                        .getAsJsonArray("balance")
                        .get(0)
                        .getAsJsonObject()
                        .get("maxOverMean")
                        .getAsDouble())
                .isGreaterThan(1.5));
    }

    private void awaitHealing(String state, String why) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            JsonObject healing = json("/hearth/api/healing");
            assertThat(healing.get("state").getAsString()).isEqualTo(state);
            assertThat(healing.has("why") ? healing.get("why").getAsString() : null)
                    .isEqualTo(why);
        });
    }

    private String refused(String action, String user) throws Exception {
        HttpResponse<String> answer = post("/hearth/api/actions/" + action, user, "{}", true);
        assertThat(answer.statusCode()).isEqualTo(403);
        return problem(answer);
    }

    private String done(String action, String body) throws Exception {
        HttpResponse<String> answer = post("/hearth/api/actions/" + action, "ops", body, true);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonParser.parseString(answer.body())
                .getAsJsonObject()
                .get("done")
                .getAsString();
    }

    private static String problem(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 499);
        return JsonParser.parseString(answer.body())
                .getAsJsonObject()
                .get("problem")
                .getAsString();
    }

    private JsonObject json(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    @SuppressWarnings("deprecation") // HBase has no other way to ask.
    private static URI address(String path) {
        return URI.create("http://127.0.0.1:" + cluster.master().getInfoServer().getPort() + path);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(address(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String user, String body, boolean withHeader) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .header(TestUserInitializer.USER_HEADER, user);
        if (withHeader) {
            request.header("X-XSRF-HEADER", "x");
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
