// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that hang, and those beside them. */
class RegionMetricsFetcherTest {

    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void letThemGo() {
        over.countDown();
    }

    private static ServerName server(String host) {
        return ServerName.valueOf(host, 16020, 1);
    }

    /** Those whose names begin with an h hang. */
    private Connection connection() throws IOException {
        Admin admin = mock(Admin.class);
        when(admin.getRegionMetrics(any(), any())).thenAnswer(call -> {
            if (call.getArgument(0, ServerName.class).getHostname().startsWith("h")) {
                over.await();
            }
            return List.<RegionMetrics>of();
        });
        Connection connection = mock(Connection.class);
        when(connection.getAdmin()).thenReturn(admin);
        return connection;
    }

    /** Broken (it is waited for each time): ten minutes here, and ten seconds for each look of status and top. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void oneThatHangsIsWaitedForOnce() throws IOException {
        List<ServerName> servers = List.of(server("a"), server("hangs"), server("b"));
        try (RegionMetricsFetcher reports = new RegionMetricsFetcher(connection())) {
            assertThat(reports.ask(servers, SHORT)).containsOnlyKeys(server("a"), server("b"));
            assertThat(reports.ask(servers, LONG)).containsOnlyKeys(server("a"), server("b"));
        }
    }

    /** A rack that is cut off. Broken (sixteen threads, all held by servers that hang): nobody else is asked any more. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void asManyThatHangAsThereAreThreadsHoldNobodyElseUp() throws IOException {
        List<ServerName> servers = new ArrayList<>();
        for (int number = 0; number < 16; number++) {
            servers.add(server("h" + number));
        }
        servers.add(server("a"));
        try (RegionMetricsFetcher reports = new RegionMetricsFetcher(connection())) {
            assertThat(reports.ask(servers, SHORT)).isEmpty();
            assertThat(reports.ask(servers, LONG)).containsOnlyKeys(server("a"));
        }
    }
}
