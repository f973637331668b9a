// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.ClustersFile.BudgetSource;
import io.hearth.fleet.model.ClustersFile.Cluster;
import io.hearth.fleet.model.FleetFixtures;
import io.hearth.fleet.model.FleetRow;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import io.hearth.fleet.model.FleetSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How answers and failures become rows; that nobody waits for a slow cluster is FleetIT's to say. */
class FleetReaderTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final ClusterHealth HEALTH = FleetFixtures.health(true, 1, false, 1);
    private static final DoctorSummary FOUND = new DoctorSummary(0, 0, Optional.empty());
    private static final List<BudgetLeft> BUDGETS = List.of(new BudgetLeft("gets", 0.5));

    /** Whether two clusters are asked at once: each answers only when the other is asked too. */
    private final CountDownLatch bothAsked = new CountDownLatch(2);

    private final FleetSource source = new FleetSource() {

        @Override
        public Status status(Cluster cluster) throws Exception {
            if (cluster.name().equals("dead")) {
                throw new IOException("Connection refused");
            }
            if (cluster.name().equals("silent")) {
                new CountDownLatch(1).await();
            }
            bothAsked.countDown();
            bothAsked.await();
            return new Status(HEALTH, ProbeResult.unknown("none is in the master"));
        }

        @Override
        public List<BudgetLeft> budgets(Cluster cluster) {
            return BUDGETS;
        }

        @Override
        public DoctorSummary examine(Cluster cluster) {
            return FOUND;
        }
    };

    private static Cluster cluster(String name, boolean isWatched) {
        return new Cluster(
                name,
                Path.of("conf"),
                isWatched ? Optional.of(new BudgetSource.Metrics("http://h/metrics")) : Optional.empty());
    }

    @Test
    void allAreAskedAtOnceAndTheRowsAreInOrder() {
        assertThat(new FleetReader(source, LONG, false)
                        .read(List.of(cluster("b", true), cluster("dead", true), cluster("a", false))))
                .containsExactly(
                        new FleetRow(
                                "b",
                                ProbeResult.known(HEALTH),
                                ProbeResult.unknown("none is in the master"),
                                ProbeResult.known(BUDGETS)),
                        new FleetRow(
                                "dead",
                                ProbeResult.unknown("the cluster can't be asked: Connection refused"),
                                ProbeResult.unknown(""),
                                ProbeResult.known(BUDGETS)),
                        new FleetRow(
                                "a",
                                ProbeResult.known(HEALTH),
                                ProbeResult.unknown("none is in the master"),
                                ProbeResult.unknown("")));
    }

    @Test
    void aDoctorHereExaminesWhereThatIsAskedFor() {
        bothAsked.countDown();

        assertThat(new FleetReader(source, LONG, true).read(List.of(cluster("a", false))))
                .extracting(FleetRow::doctor)
                .containsExactly(ProbeResult.known(FOUND));
    }

    @Test
    void whoeverHasNotAnsweredByTheDeadlineHasNotAnswered() {
        assertThat(new FleetReader(source, Duration.ZERO, false).read(List.of(cluster("silent", false))))
                .extracting(FleetRow::health)
                .containsExactly(ProbeResult.unknown("nothing within 0 s"));
    }
}
