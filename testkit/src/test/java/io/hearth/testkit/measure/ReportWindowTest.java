// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.testkit.measure.ClusterLoadReport.RegionLoadReport;
import io.hearth.testkit.measure.ClusterLoadReport.ServerLoadReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ReportWindowTest {

    private final ReportWindow window = new ReportWindow(10_000);

    /** One region for each server, which has been written so often. */
    private static ClusterLoadReport at(int second, long... writes) {
        List<ServerLoadReport> servers = new ArrayList<>();
        for (int server = 0; server < writes.length; server++) {
            servers.add(new ServerLoadReport(
                    "host" + server,
                    second * 1_000L,
                    Map.of("region" + server, new RegionLoadReport(0, writes[server], 0, 1))));
        }
        return ClusterLoadReport.of(servers);
    }

    @Test
    void itSaysNothingBeforeItIsFull() {
        assertThat(window.skew(ServerRates::writesPerSecond)).isEmpty();
        for (int second = 0; second < 10; second++) {
            window.add(at(second, 30L * second, 10L * second));
            assertThat(window.skew(ServerRates::writesPerSecond))
                    .as("after %d s", second)
                    .isEmpty();
        }
        window.add(at(10, 300, 100));
        assertThat(window.skew(ServerRates::writesPerSecond).orElseThrow()).isEqualTo(1.5);
    }

    @Test
    void whatWasBeforeItIsForgotten() {
        for (int second = 0; second <= 40; second++) {
            window.add(at(second, 30L * Math.min(second, 20) + 10L * Math.max(0, second - 20), 10L * second));
        }
        assertThat(window.skew(ServerRates::writesPerSecond).orElseThrow()).isEqualTo(1, Offset.offset(0.001));
    }

    @Test
    void aRegionThatMovesAndAServerThatComesEmptyIt() {
        for (int second = 0; second <= 20; second++) {
            window.add(at(second, 30L * second, second < 15 ? 10L * second : 10L * (second - 15)));
        }
        assertThat(window.skew(ServerRates::writesPerSecond))
                .as("a counter that began anew")
                .isEmpty();
        for (int second = 21; second <= 30; second++) {
            window.add(at(second, 30L * second, 10L * (second - 15)));
        }
        assertThat(window.skew(ServerRates::writesPerSecond).orElseThrow()).isEqualTo(1.5);
        window.add(at(31, 930, 160, 0));
        assertThat(window.skew(ServerRates::writesPerSecond))
                .as("a server without two reports")
                .isEmpty();
    }
}
