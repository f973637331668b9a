package io.hearth.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.integration.Metrics;
import io.hearth.web.hbase.PageMetrics;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The filter in HBase's own web UI, with a master that is none. */
class PageFilterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private WebUi webUi;

    @BeforeEach
    void start() throws Exception {
        webUi = WebUi.start();
    }

    @AfterEach
    void stop() {
        webUi.close();
    }

    @Test
    void itAnswersUnderItsPathAndLeavesTheRestAlone() throws Exception {
        HttpResponse<String> page = webUi.get("/hearth");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse(""))
                .isEqualToIgnoringCase("text/html;charset=utf-8");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(page.headers().firstValue("X-Frame-Options")).hasValue("DENY");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(webUi.get("/hearth/").body()).isEqualTo(page.body());

        awaitStatus("/hearth/api/overview", 200);
        assertThat(webUi.get("/hearth/api/overview").body()).contains("\"master\":\"master1:16000\",\"servers\":0");
        assertThat(webUi.get("/hearth/../hearth/api/servers").body()).isEqualTo("[]");
        assertThat(webUi.get("/hearthside").statusCode()).isEqualTo(404);
        assertThat(webUi.get("/hearthside").body()).doesNotContain("problem");
        assertThat(webUi.get("/static/css/hbase.css").statusCode()).isEqualTo(200);
        assertThat(webUi.get("/static/hearth").statusCode()).isEqualTo(404);
        assertThat(webUi.get("/jmx?qry=nothing").statusCode()).isEqualTo(200);
    }

    @Test
    void whatFailsIsCountedAndTheMasterIsNoneTheWiser() throws Exception {
        long before = Metrics.counter(PageMetrics.INFO, "failures");
        awaitStatus("/hearth/api/overview", 200);
        webUi.noServers = Optional.of(new NoClassDefFoundError("made up"));
        await().atMost(PATIENCE)
                .until(() -> webUi.get("/hearth/api/overview").statusCode() == 200
                        && Metrics.counter(PageMetrics.INFO, "failures") > before);

        webUi.noConfiguration = Optional.of(new StackOverflowError("made up"));
        HttpResponse<String> failed = webUi.get("/hearth/api/overview");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body())
                .isEqualTo("{\"problem\":\"The page failed. The master goes on; its log has the reason.\"}");
        assertThat(webUi.get("/static/css/hbase.css").statusCode()).isEqualTo(200);
    }

    @Test
    void switchedOffThereIsNoPage() throws Exception {
        webUi.conf.set("hearth.page.enabled", "false");
        assertThat(webUi.get("/hearth").statusCode()).isEqualTo(404);
        webUi.conf.set("hearth.page.enabled", "true");
        assertThat(webUi.get("/hearth").statusCode()).isEqualTo(200);
    }

    @Test
    void aBackupMasterSaysWhereTheActiveOneIs() throws Exception {
        webUi.activeMaster = Optional.of(ServerName.valueOf("master2", 16000, 1));
        webUi.activeMasterInfoPort = 16010;
        webUi.active = false;
        awaitStatus("/hearth/api/overview", 503);
        assertThat(webUi.get("/hearth/api/overview").body())
                .isEqualTo(
                        "{\"problem\":\"This master is a backup. The active one has its web UI at master2:16010.\"}");
        webUi.activeMasterInfoPort = -1;
        assertThat(webUi.get("/hearth/api/overview").body())
                .isEqualTo("{\"problem\":\"This master is a backup. The active one is on master2.\"}");
        assertThat(webUi.get("/hearth").statusCode())
                .as("the page, which says so")
                .isEqualTo(200);
    }

    @Test
    void aWebUiWithoutAMasterHasNoPage() throws Exception {
        webUi.setAttribute("master", "no master at all");
        assertThat(webUi.get("/hearth").statusCode()).isEqualTo(404);
    }

    @Test
    void onlyAGetIsAnswered() throws Exception {
        assertThat(webUi.send(webUi.request("/hearth/api/page").DELETE()).body())
                .isEqualTo("{\"problem\":\"Only GET is allowed here; what changes something is under"
                        + " /hearth/api/actions.\"}");
        assertThat(webUi.send(webUi.request("/hearth").method("HEAD", HttpRequest.BodyPublishers.noBody()))
                        .body())
                .isEmpty();
        assertThat(webUi.get("/hearth/api/actions").body())
                .startsWith("{\"allowed\":false,\"why\":\"This page only shows.");
    }

    @Test
    void theDoctorIsAskedWhenSomebodySaysSo() throws Exception {
        awaitStatus("/hearth/api/doctor", 200);
        assertThat(webUi.get("/hearth/api/doctor").body()).contains("\"asking\":");

        assertThat(webUi.get("/hearth/api/doctor/ask").statusCode()).isEqualTo(405);
        HttpRequest.BodyPublisher nothing = HttpRequest.BodyPublishers.noBody();
        assertThat(webUi.send(webUi.request("/hearth/api/doctor/ask").POST(nothing))
                        .body())
                .isEqualTo(
                        "{\"problem\":\"The doctor is asked by a POST with the header X-XSRF-HEADER (any value).\"}");
        assertThat(webUi.send(webUi.request("/hearth/api/doctor/ask")
                                .POST(nothing)
                                .header("X-XSRF-HEADER", "x"))
                        .body())
                .isEqualTo("{\"done\":\"The doctor asks every process again.\"}");
    }

    /** By which the doctor tells whether a server's clock is that of the HMaster. */
    @Test
    void everyAnswerOfHBasesWebUiHasADate() throws Exception {
        assertThat(webUi.get("/jmx?qry=none:type=none").headers().firstValue("Date"))
                .isPresent();
    }

    private void awaitStatus(String path, int status) {
        await().atMost(PATIENCE).until(() -> webUi.get(path).statusCode() == status);
    }
}
