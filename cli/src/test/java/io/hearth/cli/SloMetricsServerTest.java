// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

class SloMetricsServerTest {

    @Test
    void prometheusReadsMetricsAndNobodyWritesAnything() throws Exception {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (SloMetricsServer server = SloMetricsServer.start(free, () -> "hearth_slo_x 1\n")) {
            assertThat(answer(server, "GET", "/metrics")).isEqualTo("200 hearth_slo_x 1\n");
            assertThat(answer(server, "POST", "/metrics")).isEqualTo("405 Metrics are at /metrics, by GET.\n");
            assertThat(answer(server, "GET", "/")).isEqualTo("404 Metrics are at /metrics, by GET.\n");
        }
    }

    private static String answer(SloMetricsServer server, String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }
}
