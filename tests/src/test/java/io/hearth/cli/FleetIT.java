// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.client.FleetClient;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.Quantiles;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.ClusterHealth.Balance;
import io.hearth.fleet.model.ClustersFile.BudgetSource;
import io.hearth.fleet.model.ClustersFile.Cluster;
import io.hearth.fleet.model.FleetRow;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import io.hearth.fleet.model.FleetSource;
import io.hearth.fleet.report.FleetPage;
import io.hearth.fleet.report.FleetTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many simulated clusters at once, each with a configuration of its own, of which some are slow, some dead, and some never answer. */
class FleetIT {

    private static final int CLUSTERS = 100;
    private static final int SERVERS = 1_000;
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final long SEED = 27;

    @TempDir
    private Path folder;

    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void letThemGo() {
        over.countDown();
    }

    /** What the cluster of this number does: two of ten answer at once, four slowly, two are dead, two never answer. */
    private final class SimulatedClusters implements FleetSource {

        @Override
        public Status status(Cluster cluster) throws Exception {
            int number = number(cluster);
            Random random = new Random(SEED + number);
            switch (number % 10) {
                case 0, 1 -> throw new IOException("Connection refused by cluster " + number);
                case 2, 3 -> neverAnswer();
                case 4, 5, 6, 7 -> TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(2_000));
                default -> {}
            }
            return new Status(
                    new ClusterHealth(
                            number,
                            "m:16000",
                            true,
                            SERVERS,
                            100 * SERVERS,
                            Quantiles.of(random.doubles(SERVERS).toArray()),
                            Map.of(LoadDimension.READS, new Balance(1 + random.nextDouble(), false))),
                    ProbeResult.known(new DoctorSummary(0, 0, Optional.empty())));
        }

        private void neverAnswer() {
            while (over.getCount() > 0) {
                try {
                    over.await();
                } catch (InterruptedException unheeded) {
                    // As a client that takes an interruption for a failed try.
                }
            }
        }

        @Override
        public List<BudgetLeft> budgets(Cluster cluster) {
            if (number(cluster) % 10 == 9) {
                neverAnswer();
            }
            return List.of(new BudgetLeft("gets", 0.5));
        }

        @Override
        public DoctorSummary examine(Cluster cluster) {
            throw new IllegalStateException("nobody asks for it");
        }
    }

    private static int number(Cluster cluster) {
        return Integer.parseInt(cluster.name());
    }

    /** A folder of its own, as an operator has one for each. */
    private Cluster cluster(int number) {
        Path configuration = folder.resolve(String.valueOf(number));
        try {
            Files.createDirectory(configuration);
            Files.writeString(
                    configuration.resolve("hbase-site.xml"),
                    "<configuration><property><name>hbase.zookeeper.quorum</name><value>zk" + number
                            + "</value></property></configuration>");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return new Cluster(
                String.valueOf(number), configuration, Optional.of(new BudgetSource.Metrics("http://watch/metrics")));
    }

    @Test
    void aHundredClustersTakeTenSecondsAtMost() {
        List<Cluster> clusters =
                IntStream.range(0, CLUSTERS).mapToObj(this::cluster).toList();

        long startNanos = System.nanoTime();
        var unused = FleetClient.of(clusters, FleetReader.DEFAULT_DEADLINE, System::currentTimeMillis);
        Duration configured = Duration.ofNanos(System.nanoTime() - startNanos);
        List<FleetRow> rows =
                new FleetReader(new SimulatedClusters(), FleetReader.DEFAULT_DEADLINE, false).read(clusters);
        List<String> table = FleetTable.of(rows).lines("");
        String page = FleetPage.html(rows, 0);
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);

        assertThat(took).as("of which their configurations took %s", configured).isLessThan(LONGEST);
        assertThat(rows)
                .extracting(FleetRow::cluster)
                .containsExactlyElementsOf(clusters.stream().map(Cluster::name).toList());
        for (FleetRow row : rows) {
            int kind = Integer.parseInt(row.cluster()) % 10;
            Optional<String> why = row.health().whyUnknown();
            assertThat(why)
                    .as("cluster " + row.cluster())
                    .isEqualTo(
                            kind < 2
                                    ? Optional.of("the cluster can't be asked: Connection refused by cluster "
                                            + row.cluster())
                                    : kind < 4 ? Optional.of("nothing within 8 s") : Optional.empty());
            assertThat(row.budgets().whyUnknown())
                    .as("the budget of cluster " + row.cluster())
                    .isEqualTo(kind == 9 ? Optional.of("nothing within 8 s") : Optional.empty());
        }
        assertThat(table).hasSize(1 + CLUSTERS);
        assertThat(page)
                .contains("<li><b>100</b> clusters</li><li class=\"bad\"><b>40</b> did not answer</li>")
                .contains("NO ANSWER: nothing within 8 s");
    }
}
