package io.hearth.balancer.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerLoadsTest {

    private static final Map<LoadDimension, Double> WEIGHTS = Map.of(
            LoadDimension.READS, 2.0,
            LoadDimension.WRITES, 1.0,
            LoadDimension.STORE_SIZE, 0.5,
            LoadDimension.MEMSTORE, 0.25);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theGainOfAMoveIsTheFallOfTheNaiveUnevenness(long seed) {
        Random random = new Random(seed);
        int servers = 2 + random.nextInt(20);
        Map<LoadDimension, double[]> raw = new EnumMap<>(LoadDimension.class);
        for (LoadDimension dimension : LoadDimension.values()) {
            raw.put(dimension, random.doubles(servers, 1, 100).toArray());
        }
        ServerLoads loads = new ServerLoads(raw, WEIGHTS);
        for (int step = 0; step < 100; step++) {
            int from = random.nextInt(servers);
            int to = (from + 1 + random.nextInt(servers - 1)) % servers;
            LoadVector given = part(random, raw, from);
            LoadVector taken = part(random, raw, to);
            double before = naiveUnevenness(raw);
            double gainOfMove = loads.gainOfMove(given, from, to);
            double gainOfSwap = loads.gainOfSwap(given, taken, from, to);

            move(raw, given, from, to);
            loads.move(given, from, to);
            assertThat(gainOfMove)
                    .as("seed %d step %d", seed, step)
                    .isCloseTo(before - naiveUnevenness(raw), within(1e-6));

            move(raw, taken, to, from);
            loads.move(taken, to, from);
            assertThat(gainOfSwap)
                    .as("seed %d step %d", seed, step)
                    .isCloseTo(before - naiveUnevenness(raw), within(1e-6));
            for (LoadDimension dimension : LoadDimension.values()) {
                assertThat(loads.maxOverMean(dimension)).isCloseTo(Skew.maxOverMean(raw.get(dimension)), within(1e-9));
            }
        }
    }

    @Test
    void aDimensionWithoutLoadOrWeightDoesNotCount() {
        Map<LoadDimension, double[]> raw = new EnumMap<>(LoadDimension.class);
        raw.put(LoadDimension.READS, new double[] {0, 0});
        raw.put(LoadDimension.WRITES, new double[] {3, 1});
        raw.put(LoadDimension.STORE_SIZE, new double[] {3, 1});
        raw.put(LoadDimension.MEMSTORE, new double[] {3, 1});
        ServerLoads loads = new ServerLoads(raw, Map.of(LoadDimension.READS, 1.0, LoadDimension.WRITES, 1.0));

        assertThat(loads.counts(LoadDimension.READS)).isFalse();
        assertThat(loads.counts(LoadDimension.WRITES)).isTrue();
        assertThat(loads.counts(LoadDimension.STORE_SIZE)).isFalse();
        assertThat(loads.gainOfMove(LoadVector.of(5, 0, 1), 0, 1)).isZero();
        assertThat(loads.maxOverMean(LoadDimension.READS)).isEqualTo(1);
        assertThat(loads.maxOverMean(LoadDimension.STORE_SIZE)).isEqualTo(1.5);
    }

    private static LoadVector part(Random random, Map<LoadDimension, double[]> raw, int server) {
        return LoadVector.of(
                raw.get(LoadDimension.READS)[server] * random.nextDouble() * 0.5,
                raw.get(LoadDimension.WRITES)[server] * random.nextDouble() * 0.5,
                raw.get(LoadDimension.STORE_SIZE)[server] * random.nextDouble() * 0.5,
                raw.get(LoadDimension.MEMSTORE)[server] * random.nextDouble() * 0.5);
    }

    private static void move(Map<LoadDimension, double[]> raw, LoadVector load, int from, int to) {
        raw.forEach((dimension, loads) -> {
            loads[from] -= load.get(dimension);
            loads[to] += load.get(dimension);
        });
    }

    private static double naiveUnevenness(Map<LoadDimension, double[]> raw) {
        double sum = 0;
        for (LoadDimension dimension : LoadDimension.values()) {
            double[] loads = raw.get(dimension);
            double mean = Arrays.stream(loads).average().orElseThrow();
            sum += WEIGHTS.get(dimension)
                    * Arrays.stream(loads)
                            .map(load -> load / mean)
                            .map(share -> share * share)
                            .sum();
        }
        return sum;
    }
}
