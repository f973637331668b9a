// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What moves do to the unevenness of tables, beside the difference of the unevenness before and after them. */
class TableIndexTest {

    private static final PlanGoals GOALS =
            PlanGoals.of(Map.of(LoadDimension.READS, new DimensionGoal(200, 1.1, 1.03, 1)));
    private static final int SERVERS = 10;
    private static final int REGIONS = 40;

    private SearchContext context;
    private TableIndex tables;

    /** With 2 tables there are few pairs of a table and a server for each region, with 20 many. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "3, 2", "1, 20", "2, 20", "3, 20"})
    void aGainIsTheDifferenceOfTheUnevenness(long seed, int numberOfTables) {
        Random random = new Random(seed);
        SmallCluster cluster = cluster(random, numberOfTables);
        context = cluster.search(GOALS);
        tables = context.simulation.tables;
        NaiveCosts naive = new NaiveCosts(cluster.state(), GOALS);
        for (int step = 0; step < 100; step++) {
            String where = "seed %d, step %d".formatted(seed, step);
            int region = random.nextInt(REGIONS);
            int from = context.simulation.serverOf[region];
            boolean goesBack = context.simulation.wasMoved(region);
            // To the first two more often than not, where regions of one table meet.
            int to =
                    goesBack ? context.index.initialServer[region] : random.nextInt(random.nextBoolean() ? 2 : SERVERS);
            assertThatNothingGainsMore(region, from, where);
            if (to == from) {
                continue;
            }
            double before = naive.tableUnevenness();
            naive.move(context.index.state[region], from, to);
            double gain = before - naive.tableUnevenness();

            assertThat(tables.gain(region, from, to)).as(where).isCloseTo(gain, within(1e-9));
            if (goesBack) {
                context.simulation.undo(region);
            } else {
                context.simulation.move(region, to);
            }
            assertThat(tables.unevenness()).as(where).isCloseTo(naive.tableUnevenness(), within(1e-9));
        }
    }

    private void assertThatNothingGainsMore(int region, int from, String where) {
        boolean isAnyCrowded = IntStream.range(0, REGIONS)
                .anyMatch(other -> context.simulation.serverOf[other] == from && tables.isCrowded(other, from));
        assertThat(tables.isAnyCrowded(from)).as(where).isEqualTo(isAnyCrowded);
        double most = IntStream.range(0, SERVERS)
                .filter(server -> server != from)
                .mapToDouble(server -> tables.gain(region, from, server))
                .max()
                .orElseThrow();
        // Of ten servers one has room for it, at no loss.
        assertThat(tables.mostGain(region, from)).as(where).isCloseTo(most, within(1e-9));
    }

    private static SmallCluster cluster(Random random, int numberOfTables) {
        List<Integer> numbers = new ArrayList<>();
        for (int region = 0; region < REGIONS; region++) {
            numbers.add(region % numberOfTables);
        }
        Collections.shuffle(numbers, random);
        SmallCluster cluster = new SmallCluster();
        for (int region = 0; region < REGIONS; region++) {
            if (region % (REGIONS / SERVERS) == 0) {
                cluster.server();
            }
            cluster.region(1, 0).table("t" + numbers.get(region));
        }
        return cluster;
    }
}
