// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.integration.RegisteredMetrics;
import io.hearth.ui.hbase.UiMetrics;
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

    private MockMasterWebUi mockMasterWebUi;

    @BeforeEach
    void start() throws Exception {
        mockMasterWebUi = MockMasterWebUi.start();
    }

    @AfterEach
    void stop() {
        mockMasterWebUi.close();
    }

    @Test
    void itAnswersUnderItsPathAndLeavesTheRestAlone() throws Exception {
        HttpResponse<String> page = mockMasterWebUi.get("/hearth");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse(""))
                .isEqualToIgnoringCase("text/html;charset=utf-8");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(page.headers().firstValue("X-Frame-Options")).hasValue("DENY");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(mockMasterWebUi.get("/hearth/").body()).isEqualTo(page.body());

        awaitStatus("/hearth/api/overview", 200);
        assertThat(mockMasterWebUi.get("/hearth/api/overview").body())
                .contains("\"master\":\"master1:16000\",\"servers\":0");
        assertThat(mockMasterWebUi.get("/hearth/../hearth/api/hottest").body()).isEqualTo("[]");
        assertThat(mockMasterWebUi.get("/hearthside").statusCode()).isEqualTo(404);
        assertThat(mockMasterWebUi.get("/hearthside").body()).doesNotContain("problem");
        assertThat(mockMasterWebUi.get("/static/css/hbase.css").statusCode()).isEqualTo(200);
        assertThat(mockMasterWebUi.get("/static/hearth").statusCode()).isEqualTo(404);
        assertThat(mockMasterWebUi.get("/jmx?qry=nothing").statusCode()).isEqualTo(200);
        await("one publisher, and none for HBase's logs and static files")
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().equals("hearth-page"))
                                .count()
                        == 1);
    }

    @Test
    void whatFailsIsCountedAndTheMasterIsNoneTheWiser() throws Exception {
        long before = RegisteredMetrics.counter(UiMetrics.INFO, "failures");
        awaitStatus("/hearth/api/overview", 200);
        mockMasterWebUi.noServers = Optional.of(new NoClassDefFoundError("made up"));
        await().atMost(PATIENCE)
                .until(() -> mockMasterWebUi.get("/hearth/api/overview").statusCode() == 200
                        && RegisteredMetrics.counter(UiMetrics.INFO, "failures") > before);

        mockMasterWebUi.noConfiguration = Optional.of(new StackOverflowError("made up"));
        HttpResponse<String> failed = mockMasterWebUi.get("/hearth/api/overview");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body())
                .isEqualTo("{\"problem\":\"The page failed. The master continues; its log has the reason.\"}");
        assertThat(mockMasterWebUi.get("/static/css/hbase.css").statusCode()).isEqualTo(200);
    }

    @Test
    void switchedOffThereIsNoPage() throws Exception {
        mockMasterWebUi.conf.set("hearth.ui.enabled", "false");
        assertThat(mockMasterWebUi.get("/hearth").statusCode()).isEqualTo(404);
        mockMasterWebUi.conf.set("hearth.ui.enabled", "true");
        assertThat(mockMasterWebUi.get("/hearth").statusCode()).isEqualTo(200);
    }

    @Test
    void aBackupMasterSaysWhereTheActiveOneIs() throws Exception {
        mockMasterWebUi.activeMaster = Optional.of(ServerName.valueOf("master2", 16000, 1));
        mockMasterWebUi.activeMasterInfoPort = 16010;
        mockMasterWebUi.active = false;
        awaitStatus("/hearth/api/overview", 503);
        assertThat(mockMasterWebUi.get("/hearth/api/overview").body())
                .isEqualTo(
                        "{\"problem\":\"This master is a backup. The active one has its web UI at master2:16010.\"}");
        mockMasterWebUi.activeMasterInfoPort = -1;
        assertThat(mockMasterWebUi.get("/hearth/api/overview").body())
                .isEqualTo("{\"problem\":\"This master is a backup. The active one is on master2.\"}");
        assertThat(mockMasterWebUi.get("/hearth").statusCode())
                .as("the page, which says so")
                .isEqualTo(200);
    }

    @Test
    void aWebUiWithoutAMasterHasNoPage() throws Exception {
        mockMasterWebUi.setAttribute("master", "no master at all");
        assertThat(mockMasterWebUi.get("/hearth").statusCode()).isEqualTo(404);
    }

    @Test
    void onlyAGetIsAnswered() throws Exception {
        assertThat(mockMasterWebUi
                        .send(mockMasterWebUi.request("/hearth/api/page").DELETE())
                        .body())
                .isEqualTo("{\"problem\":\"Only GET is allowed here; what changes something is under"
                        + " /hearth/api/actions.\"}");
        assertThat(mockMasterWebUi
                        .send(mockMasterWebUi.request("/hearth").method("HEAD", HttpRequest.BodyPublishers.noBody()))
                        .body())
                .isEmpty();
        assertThat(mockMasterWebUi.get("/hearth/api/actions").body())
                .startsWith("{\"allowed\":false,\"why\":\"This page is read-only.");
    }

    @Test
    void theDoctorIsAskedWhenSomebodySaysSo() throws Exception {
        awaitStatus("/hearth/api/doctor", 200);
        assertThat(mockMasterWebUi.get("/hearth/api/doctor").body()).contains("\"asking\":");

        assertThat(mockMasterWebUi.get("/hearth/api/doctor/ask").statusCode()).isEqualTo(405);
        HttpRequest.BodyPublisher nothing = HttpRequest.BodyPublishers.noBody();
        assertThat(mockMasterWebUi
                        .send(mockMasterWebUi.request("/hearth/api/doctor/ask").POST(nothing))
                        .body())
                .isEqualTo(
                        "{\"problem\":\"The doctor is asked by a POST with the header X-XSRF-HEADER (any value).\"}");
        assertThat(mockMasterWebUi
                        .send(mockMasterWebUi
                                .request("/hearth/api/doctor/ask")
                                .POST(nothing)
                                .header("X-XSRF-HEADER", "x"))
                        .body())
                .isEqualTo("{\"done\":\"The doctor asks every process again.\"}");
    }

    /** By which the doctor tells whether a server's clock is that of the HMaster. */
    @Test
    void everyAnswerOfHBasesWebUiHasADate() throws Exception {
        assertThat(mockMasterWebUi.get("/jmx?qry=none:type=none").headers().firstValue("Date"))
                .isPresent();
    }

    private void awaitStatus(String path, int status) {
        await().atMost(PATIENCE).until(() -> mockMasterWebUi.get(path).statusCode() == status);
    }
}
