package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Settings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages of a process, and what becomes of those that are not as they should be. */
class WebUiTest {

    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private WebUi answering(String path, int status, String body) {
        server.createContext(path, exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return ui();
    }

    private WebUi ui() {
        return WebUi.at("http", "127.0.0.1", server.getAddress().getPort());
    }

    @Test
    void ofAConfigurationItKeepsWhatTheDoctorReads() {
        WebUi ui = answering(
                "/conf",
                200,
                "{\"properties\":[{\"key\":\"dfs.blocksize\",\"value\":\"1m\",\"isFinal\":false,\"resource\":\"hdfs-site.xml\"},"
                        + "{\"key\":\"hearth.heal.enabled\",\"value\":\"false\"},{\"key\":\"fs.defaultFS\",\"value\":\"hdfs://a\"},"
                        + "{\"key\":\"dfs.domain.socket.path\",\"value\":null}]}");

        Settings settings = ui.settings().ifKnown().orElseThrow();

        assertThat(settings.values()).isEqualTo(Map.of("dfs.blocksize", "1m", "hearth.heal.enabled", "false"));
        assertThat(settings.number(Key.BLOCK_BYTES)).isEqualTo(1 << 20);
        assertThat(settings.text(Key.PEER_CACHE)).isEqualTo("16");
    }

    @Test
    void aTicketThatIsAskedForIsAnUnknown() {
        assertThat(answering("/conf", 401, "").settings())
                .isEqualTo(Answer.unknown(
                        "its web UI answers 401: it asks for Kerberos, which the doctor does not offer to web UIs"));
    }

    @Test
    void whatIsNoJsonIsAnUnknown() {
        assertThat(answering("/conf", 200, "<html>").settings())
                .isEqualTo(Answer.unknown("its web UI answers what the doctor can't read"));
    }

    @Test
    void aBeanThatIsNotThereIsAnUnknown() {
        WebUi ui = answering("/jmx", 200, "{\"beans\":[]}");

        assertThat(ui.bean("a:b=c")).isEqualTo(Answer.unknown("its page /jmx has no bean a:b=c"));
    }

    @Test
    void whoDoesNotAnswerIsAnUnknownThatIsTheSameForAll() {
        WebUi ui = ui();
        server.stop(0);

        assertThat(ui.settings()).isEqualTo(Answer.unknown("its web UI does not answer: Connect"));
    }

    @Test
    void aCounterThatIsMissingIsAnUnknownAndNotZero() {
        WebUi ui = answering("/jmx", 200, "{\"beans\":[{\"localBytesRead\":5}]}");

        assertThat(RegionServers.counters(ui)).isEqualTo(Answer.unknown("its page /jmx has no shortCircuitBytesRead"));
    }
}
