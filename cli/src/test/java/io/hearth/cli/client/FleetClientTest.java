// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.hearth.cli.heal.SiteConfigLoader.ClientLoginException;
import io.hearth.fleet.model.ClustersFile.BudgetSource;
import io.hearth.fleet.model.ClustersFile.Cluster;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import io.hearth.slo.store.SloStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster's row knows without the cluster: its configuration and its error budgets. */
class FleetClientTest {

    /** 15 November 2026, 00:00 UTC. */
    private static final long START_MS = 1_794_700_800_000L;

    private static final long MINUTE_MS = 60_000;
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    private static List<BudgetLeft> budgets(BudgetSource source, long nowMs) throws IOException {
        Cluster cluster = new Cluster("west", Path.of("/no/such"), Optional.of(source));
        return FleetClient.of(List.of(cluster), DEADLINE, () -> nowMs).budgets(cluster);
    }

    private BudgetSource.Store stored() throws IOException {
        Path objectives =
                Files.writeString(folder.resolve("objectives.txt"), "gets: 99 % of gets under 50 ms, 30 days\n");
        for (String instance : List.of("a", "b")) {
            try (SloStore store = SloStore.open(
                    folder.resolve("slo"),
                    instance,
                    ObjectivesFile.parse(Files.readString(objectives), "objectives")
                            .limits(),
                    problem -> {})) {
                for (int second = 0; second < 100; second++) {
                    long micros = second < 1 && instance.equals("a") ? 80_000 : 2_000;
                    store.accept(
                            new ProbeResult(ProbeKind.GET, "h:1", START_MS + second * 1_000, micros, Outcome.ANSWERED));
                }
            }
        }
        return new BudgetSource.Store(folder.resolve("slo"), objectives);
    }

    @Test
    void aFolderOfSloRunIsHeldAgainstTheObjectives() throws Exception {
        assertThat(budgets(stored(), START_MS + 3 * MINUTE_MS))
                .as("of all instances: one of 200 is late, and two may be")
                .containsExactly(new BudgetLeft("gets", 0.5));
    }

    @Test
    void aDaemonThatStoresNothingAnyMoreIsNoWord() throws Exception {
        BudgetSource.Store store = stored();

        assertThatThrownBy(() -> budgets(store, START_MS + 12 * MINUTE_MS))
                .isInstanceOf(IOException.class)
                .hasMessage("slo run has stored nothing in " + folder.resolve("slo") + " for 10 minutes");
        assertThatThrownBy(() -> budgets(new BudgetSource.Store(folder, store.objectives()), START_MS))
                .isInstanceOf(IOException.class)
                .hasMessage("no slo run has stored anything in " + folder);
        Files.writeString(store.objectives(), "nonsense");
        assertThatThrownBy(() -> budgets(store, START_MS))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(store.objectives() + ", line 1: 'nonsense' can't be used");
    }

    /** The first server of a JVM has the JDK read how long a request may take: for LocalUiServerTest too, which waits for that. */
    private static HttpServer server() throws IOException {
        String limit = "sun.net.httpserver.maxReqTime";
        boolean isSet = System.getProperty(limit) != null;
        if (!isSet) {
            System.setProperty(limit, "2");
        }
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } finally {
            if (!isSet) {
                System.clearProperty(limit);
            }
        }
    }

    @Test
    void metricsTellOfTheirBudgets() throws Exception {
        HttpServer server = server();
        server.createContext("/", exchange -> {
            boolean isEmpty = exchange.getRequestURI().getPath().equals("/empty");
            byte[] body = (isEmpty ? "" : "hearth_slo_objective_budget_left_ratio{objective=\"gets\"} -30.45\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/no") ? 404 : 200, body.length + 1);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().write('\n');
            exchange.close();
        });
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(budgets(new BudgetSource.Metrics(url + "/metrics"), START_MS))
                    .containsExactly(new BudgetLeft("gets", -30.45));
            assertThatThrownBy(() -> budgets(new BudgetSource.Metrics(url + "/empty"), START_MS))
                    .hasMessage(url + "/empty tells of no error budget; slo run --objectives makes it do so");
            assertThatThrownBy(() -> budgets(new BudgetSource.Metrics(url + "/no"), START_MS))
                    .hasMessage(url + "/no has answered with status 404");
        } finally {
            server.stop(0);
        }
        assertThatThrownBy(() -> budgets(new BudgetSource.Metrics(url + "/metrics"), START_MS))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(url + "/metrics can't be read: ");
    }

    /** Broken (it takes all the time that the row waits, from a moment later on): of a cluster where something hangs nothing is known. */
    @Test
    void anExaminationEndsBeforeNobodyWaitsForItAnyMore() {
        for (int seconds : new int[] {1, 8, 60, 600}) {
            Duration deadline = Duration.ofSeconds(seconds);
            var limits = FleetClient.limits(deadline);

            assertThat(limits.time()).isLessThanOrEqualTo(deadline.minusMillis(100));
            assertThat(limits.watch()).isLessThan(limits.time());
        }
    }

    @Test
    void aFolderWithoutAConfigurationIsNamed() {
        Cluster cluster = new Cluster("west", folder, Optional.empty());

        assertThatThrownBy(() -> FleetClient.of(List.of(cluster), DEADLINE, () -> START_MS)
                        .status(cluster))
                .isInstanceOf(IOException.class)
                .hasMessage(folder + " has no hbase-site.xml that can be read");
    }

    /** A cluster whose ZooKeeper has no address, with more in its hbase-site.xml. */
    private Cluster cluster(String name, String more) throws IOException {
        Path configuration = Files.createDirectory(folder.resolve(name));
        Files.writeString(
                configuration.resolve("hbase-site.xml"),
                "<configuration><property><name>hbase.zookeeper.quorum</name><value>no-such-host.invalid</value></property>"
                        + more);
        return new Cluster(name, configuration, Optional.empty());
    }

    /** Broken (one half-written file ends the command): no row of any cluster. */
    @Test
    void aConfigurationThatCanNotBeReadIsTheTroubleOfItsClusterAlone() throws Exception {
        Cluster torn = cluster("torn", "<property><name>hbase.root");
        Cluster without = cluster(
                "without",
                "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"not-here.xml\"/></configuration>");
        Cluster whole = cluster("whole", "</configuration>");
        FleetClient client = FleetClient.of(List.of(torn, without, whole), DEADLINE, () -> START_MS);

        for (Cluster unreadable : List.of(torn, without)) {
            assertThatThrownBy(() -> client.status(unreadable))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(unreadable.configuration() + " can't be read: ");
        }
        assertThatThrownBy(() -> client.status(whole))
                .hasMessageStartingWith("no address is known for the host no-such-host.invalid");
    }

    /** By rules for names that nobody can read: it fails on any machine. Broken: the command ends, or waits for the deadline. */
    @Test
    void aLoginThatIsNotToBeHadIsTheTroubleOfThoseThatNeedOne() throws Exception {
        Cluster secure = cluster(
                "secure",
                "<property><name>hadoop.security.authentication</name><value>kerberos</value></property>"
                        + "<property><name>hadoop.security.auth_to_local</name><value>no rule</value></property>"
                        + "</configuration>");
        Cluster plain = cluster("plain", "</configuration>");
        try {
            FleetClient client = FleetClient.of(List.of(secure, plain), DEADLINE, () -> START_MS);

            assertThatThrownBy(() -> client.status(secure))
                    .isInstanceOf(ClientLoginException.class)
                    .hasMessageStartingWith("Hadoop can't log in by this configuration: ");
            assertThatThrownBy(() -> client.examine(secure)).isInstanceOf(ClientLoginException.class);
            assertThatThrownBy(() -> client.status(plain))
                    .hasMessageStartingWith("no address is known for the host no-such-host.invalid");
        } finally {
            UserGroupInformation.reset();
        }
    }
}
