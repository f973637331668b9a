package io.hearth.demo.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkewTest {

    @Test
    void even_is_one_and_everything_on_one_server_is_the_number_of_servers() {
        assertThat(Skew.maxOverAverage(List.of(7.0, 7.0, 7.0))).hasValue(1);
        assertThat(Skew.maxOverAverage(List.of(0.0, 9.0, 0.0, 0.0))).hasValue(4);
    }

    @Test
    void no_load_has_no_skew() {
        assertThat(Skew.maxOverAverage(List.of(0.0, 0.0))).isEmpty();
        assertThat(Skew.maxOverAverage(List.of())).isEmpty();
    }

    @Test
    void a_load_below_zero_is_refused() {
        assertThatThrownBy(() -> Skew.maxOverAverage(List.of(1.0, -0.5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A load is a number of 0 or more, not -0.5.");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_unit_of_the_load_does_not_matter(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Double> loads =
                random.doubles(2 + random.nextInt(30), 0, 1_000).boxed().toList();
        double skew = Skew.maxOverAverage(loads).orElseThrow();

        for (double scale : new double[] {1e-6, 1, 3600, 1e9}) {
            assertThat(Skew.maxOverAverage(
                                    loads.stream().map(load -> load * scale).toList())
                            .orElseThrow())
                    .as("seed %d, scale %s, loads %s", seed, scale, loads)
                    .isCloseTo(skew, within(1e-9))
                    .isBetween(1.0, (double) loads.size());
        }
    }
}
