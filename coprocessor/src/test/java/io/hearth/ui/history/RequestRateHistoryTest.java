// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestRateHistoryTest {

    private final RequestRateHistory history = new RequestRateHistory();

    @Test
    void aRegionIsFollowedFromTheFirstSampleInWhichItWasHot() {
        history.sample(List.of(region(1)), region -> OptionalDouble.of(10));
        history.sample(
                List.of(region(2)),
                region -> region.equals(region(1)) ? OptionalDouble.of(11) : OptionalDouble.empty());
        history.sample(List.of(), region -> OptionalDouble.of(12));

        assertThat(history.of(region(1)))
                .containsExactly(OptionalDouble.of(10), OptionalDouble.of(11), OptionalDouble.of(12));
        assertThat(history.of(region(2)))
                .containsExactly(OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.of(12));
        assertThat(history.of(region(3))).isEmpty();
    }

    @Test
    void onlyTheLastHourIsKept() {
        for (int sample = 0; sample < 100; sample++) {
            double value = sample;
            history.sample(List.of(region(1)), region -> OptionalDouble.of(value));
        }

        assertThat(history.of(region(1)))
                .hasSize(60)
                .startsWith(OptionalDouble.of(40))
                .endsWith(OptionalDouble.of(99));
    }

    @Test
    void thoseThatWereHotLongestAgoGoFirst() {
        for (int sample = 0; sample < 20; sample++) {
            int first = sample * 50;
            history.sample(
                    IntStream.range(first, first + 50)
                            .mapToObj(RequestRateHistoryTest::region)
                            .toList(),
                    region -> OptionalDouble.of(1));
        }

        assertThat(history.size()).isEqualTo(RequestRateHistory.REGIONS);
        assertThat(history.of(region(499))).isEmpty();
        assertThat(history.of(region(500))).isNotEmpty();
    }

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName("%032x".formatted(number));
    }
}
