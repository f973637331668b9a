// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProbedReadCache.CacheDay;
import io.hearth.doctor.model.ProbedReadCache.CacheSsd;
import io.hearth.doctor.model.ProbedReadCache.Mode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The read cache's bean as a DataNode's page has it, and as none should. */
class ReadCacheBeanTest {

    private static final String BEAN =
            "\"name\":\"Hadoop:service=DataNode,name=HearthReadCache\",\"tag.Context\":\"dfs\",\"Reads\":9,"
                    + "\"SsdBytes\":5000,\"DiskBytes\":7000,\"Hits\":1,\"SsdTrips\":2,\"Mode\":2,\"Serving\":0,"
                    + "\"MaxBytes\":1000,\"DailyWriteBytes\":3000,\"LastDayMs\":172800000,\"LastDayHits\":95,"
                    + "\"LastDayFills\":5,\"LastDayWrittenBytes\":8000,\"Hits.1\":77,\"SsdBytes.1\":78";

    private static ProbeResult<ProbedReadCache> read(String beans) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/jmx", exchange -> {
            assertThat(exchange.getRequestURI().getQuery()).isEqualTo("qry=" + ReadCacheBean.NAME);
            byte[] body = ("{\"beans\":[" + beans + "]}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            return ReadCacheBean.read(
                    InfoServerClient.at("http", "127.0.0.1", server.getAddress().getPort()));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void itIsReadWithoutThatOfSimulatedCaches() throws IOException {
        ProbedReadCache cache = read("{" + BEAN + "}").ifKnown().orElseThrow();

        assertThat(cache)
                .isEqualTo(new ProbedReadCache(
                        Mode.ON,
                        new CacheSsd(false, 2, 1_000, 3_000),
                        5_000,
                        7_000,
                        new CacheDay(172_800_000, 95, 5, 8_000)));
        assertThat(cache.trouble()).contains(ProbedReadCache.Trouble.SSD_FAILED);
        assertThat(cache.lastDay().hitRatio()).hasValue(0.95);
        assertThat(cache.lastDay().writtenBytesPerDay()).isEqualTo(4_000);
        assertThat(cache.lastDay().isWhole()).isTrue();
    }

    @Test
    void ofLessThanADayNothingIsMadeUp() {
        CacheDay morning = new CacheDay(3_600_000, 0, 0, 500);

        assertThat(morning.isWhole()).isFalse();
        assertThat(morning.writtenBytesPerDay()).isEqualTo(500);
        assertThat(morning.hitRatio()).isEqualTo(OptionalDouble.empty());
    }

    @Test
    void aCacheThatIsNotOnOrServesIsInNoTrouble() {
        for (Mode mode : Mode.values()) {
            assertThat(new ProbedReadCache(mode, new CacheSsd(mode == Mode.ON, 3, 1, 1), 0, 0, new CacheDay(1, 0, 0, 0))
                            .trouble())
                    .isEmpty();
        }
    }

    @Test
    void aDataNodeWithoutOneIsUnknown() throws IOException {
        assertThat(read("").whyUnknown())
                .contains("its page /jmx has no bean Hadoop:service=DataNode,name=HearthReadCache");
    }

    @Test
    void oneOfAnOlderJarLacksSomething() throws IOException {
        assertThat(read("{" + BEAN.replace("\"LastDayHits\":95,", "") + "}").whyUnknown())
                .contains("its page /jmx has no LastDayHits");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "-1", "\"on\"", "1e99", "[2]", "\"<script>\""})
    void aModeThatIsNoneIsNotTaken(String mode) throws IOException {
        assertThat(read("{" + BEAN.replace("\"Mode\":2", "\"Mode\":" + mode) + "}")
                        .whyUnknown())
                .contains("its web UI answers what the doctor can't read");
    }
}
