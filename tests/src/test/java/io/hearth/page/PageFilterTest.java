package io.hearth.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.integration.Metrics;
import io.hearth.web.hbase.PageMetrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The filter in HBase's own web UI, with a master that is none. */
class PageFilterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Configuration conf = HBaseConfiguration.create();
    private final HMaster master = mock(HMaster.class);
    private final ServerManager servers = mock(ServerManager.class);
    private final HttpClient client = HttpClient.newHttpClient();
    private InfoServer webUi;

    @BeforeEach
    void start() throws Exception {
        conf.set("hbase.http.filter.initializers", "io.hearth.web.hbase.HearthPageInitializer");
        conf.set("hearth.page.sample.ms", "1000");
        when(master.getConfiguration()).thenReturn(conf);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master1", 16000, 1));
        when(master.isActiveMaster()).thenReturn(true);
        when(master.isInitialized()).thenReturn(true);
        when(master.isBalancerOn()).thenReturn(true);
        when(master.getServerManager()).thenReturn(servers);
        when(servers.getOnlineServers()).thenReturn(Map.of());
        webUi = new InfoServer("master", "127.0.0.1", 0, false, conf);
        webUi.setAttribute("master", master);
        webUi.start();
    }

    @AfterEach
    void stop() throws Exception {
        webUi.stop();
    }

    @Test
    void itAnswersUnderItsPathAndLeavesTheRestAlone() throws Exception {
        HttpResponse<String> page = get("/hearth");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse(""))
                .isEqualToIgnoringCase("text/html;charset=utf-8");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(page.headers().firstValue("X-Frame-Options")).hasValue("DENY");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(get("/hearth/").body()).isEqualTo(page.body());

        awaitStatus("/hearth/api/overview", 200);
        assertThat(get("/hearth/api/overview").body()).contains("\"master\":\"master1:16000\",\"servers\":0");
        assertThat(get("/hearth/../hearth/api/servers").body()).isEqualTo("[]");
        assertThat(get("/hearthside").statusCode()).isEqualTo(404);
        assertThat(get("/hearthside").body()).doesNotContain("problem");
        assertThat(get("/static/css/hbase.css").statusCode()).isEqualTo(200);
        assertThat(get("/static/hearth").statusCode()).isEqualTo(404);
        assertThat(get("/jmx?qry=nothing").statusCode()).isEqualTo(200);
    }

    @Test
    void whatFailsIsCountedAndTheMasterIsNoneTheWiser() throws Exception {
        long before = Metrics.counter(PageMetrics.INFO, "failures");
        awaitStatus("/hearth/api/overview", 200);
        when(servers.getOnlineServers()).thenThrow(new NoClassDefFoundError("made up"));
        await().atMost(PATIENCE)
                .until(() -> get("/hearth/api/overview").statusCode() == 200
                        && Metrics.counter(PageMetrics.INFO, "failures") > before);

        when(master.getConfiguration()).thenThrow(new StackOverflowError("made up"));
        HttpResponse<String> failed = get("/hearth/api/overview");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.body())
                .isEqualTo("{\"problem\":\"The page failed. The master goes on; its log has the reason.\"}");
        assertThat(get("/static/css/hbase.css").statusCode()).isEqualTo(200);
    }

    @Test
    void switchedOffThereIsNoPage() throws Exception {
        conf.set("hearth.page.enabled", "false");
        assertThat(get("/hearth").statusCode()).isEqualTo(404);
        conf.set("hearth.page.enabled", "true");
        assertThat(get("/hearth").statusCode()).isEqualTo(200);
    }

    @Test
    void aBackupMasterSaysWhereTheActiveOneIs() throws Exception {
        when(master.isActiveMaster()).thenReturn(false);
        when(master.getActiveMaster()).thenReturn(Optional.of(ServerName.valueOf("master2", 16000, 1)));
        when(master.getActiveMasterInfoPort()).thenReturn(16010);
        awaitStatus("/hearth/api/overview", 503);
        assertThat(get("/hearth/api/overview").body())
                .isEqualTo(
                        "{\"problem\":\"This master is a backup. The active one has its web UI at master2:16010.\"}");
        when(master.getActiveMasterInfoPort()).thenReturn(-1);
        assertThat(get("/hearth/api/overview").body())
                .isEqualTo("{\"problem\":\"This master is a backup. The active one is on master2.\"}");
        assertThat(get("/hearth").statusCode()).as("the page, which says so").isEqualTo(200);
    }

    @Test
    void aWebUiWithoutAMasterHasNoPage() throws Exception {
        webUi.setAttribute("master", "no master at all");
        assertThat(get("/hearth").statusCode()).isEqualTo(404);
    }

    @Test
    void onlyAGetIsAnswered() throws Exception {
        HttpRequest delete =
                HttpRequest.newBuilder(address("/hearth/api/page")).DELETE().build();
        assertThat(client.send(delete, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo("{\"problem\":\"Only GET is allowed here; what changes something is under"
                        + " /hearth/api/actions.\"}");
        HttpRequest head = HttpRequest.newBuilder(address("/hearth"))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(client.send(head, HttpResponse.BodyHandlers.ofString()).body())
                .isEmpty();
        assertThat(get("/hearth/api/actions").body()).startsWith("{\"allowed\":false,\"why\":\"This page only shows.");
    }

    private void awaitStatus(String path, int status) {
        await().atMost(PATIENCE).until(() -> get(path).statusCode() == status);
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + webUi.getPort() + path);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(address(path)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
