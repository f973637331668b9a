// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.engine.Advice.DailyAdvice;
import io.hearth.balancer.engine.Advice.StockPlan;
import io.hearth.common.model.LoadDimension;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AdviceLogTest {

    private static final long MINUTE = 60_000;
    private static final long T0 = 1_700_000_000_000L;

    private final AdviceLog log = new AdviceLog();

    private static Advice advice(long atMs, String group, int hearthMoves, int stockMoves) {
        return new Advice(
                atMs,
                "hbase:ensemble",
                group,
                "hearth.balancer.mode is advise",
                hearthMoves + " moves",
                hearthMoves,
                Map.of(LoadDimension.READS, 2.0),
                Map.of(LoadDimension.READS, 1.1),
                new StockPlan(stockMoves, List.of(), "", Map.of(LoadDimension.READS, 1.9)),
                Map.of(),
                OptionalLong.empty());
    }

    @Test
    void whatCameOfARunIsSeenOnceItsDelayIsOver() {
        log.add(advice(T0, "a:1", 3, 5));

        assertThat(log.measured("hbase:ensemble", "a:1", Map.of(LoadDimension.READS, 1.8), 10 * MINUTE, T0 + MINUTE))
                .isEmpty();
        assertThat(log.measured(
                        "hbase:ensemble", "b:1", Map.of(LoadDimension.READS, 9.9), 10 * MINUTE, T0 + 10 * MINUTE))
                .as("servers of another group")
                .isEmpty();
        assertThat(log.measured(
                        "hbase:ensemble", "a:1", Map.of(LoadDimension.READS, 1.7), 10 * MINUTE, T0 + 10 * MINUTE))
                .hasSize(1);
        log.measured("hbase:ensemble", "a:1", Map.of(LoadDimension.READS, 1.0), 10 * MINUTE, T0 + 20 * MINUTE);

        assertThat(log.newestFirst().get(0).observed()).isEqualTo(Map.of(LoadDimension.READS, 1.7));
        assertThat(log.newestFirst().get(0).observedAtMs()).hasValue(T0 + 10 * MINUTE);
    }

    @Test
    void theDelayOfARunByAClockThatWasAheadIsOver() {
        log.add(advice(T0 + 120 * MINUTE, "a:1", 3, 5));

        assertThat(log.measured("hbase:ensemble", "a:1", Map.of(LoadDimension.READS, 1.8), 10 * MINUTE, T0))
                .hasSize(1);
    }

    @Test
    void runsInWhichNobodyMovesAnythingCountInTheDayAlone() {
        log.add(advice(T0, "a:1", 0, 0));

        assertThat(log.newestFirst()).isEmpty();
        assertThat(log.days()).extracting(DailyAdvice::plans).containsExactly(1L);
    }

    @Test
    void monthsOfItTakeNoMoreThanADayOfRunsAndTwoMonthsOfDays() {
        for (long run = 0; run < 100 * 288; run++) {
            log.add(advice(T0 + run * 5 * MINUTE, "a:1", 1, 2));
        }

        assertThat(log.newestFirst()).hasSize(288);
        assertThat(log.days()).hasSize(60).last().satisfies(day -> {
            assertThat(day.stockMoves()).isEqualTo(2 * day.plans());
            assertThat(day.meanBefore().get(LoadDimension.READS)).isCloseTo(2.0, within(1e-9));
            assertThat(day.meanHearth().get(LoadDimension.READS)).isCloseTo(1.1, within(1e-9));
        });
        assertThat(log.days().get(10).plans()).isEqualTo(288);
    }

    @Test
    void theNextMasterIsToldTheDaysAndTornBytesChangeNothing() {
        for (long run = 0; run < 3 * 288; run++) {
            log.add(advice(T0 + run * 5 * MINUTE, "a:1", 1, 2));
        }
        byte[] bytes = log.encode();
        AdviceLog next = new AdviceLog();
        for (int length = 0; length < bytes.length; length += 7) {
            next.restore(Arrays.copyOf(bytes, length));
            assertThat(next.days()).isEmpty();
        }

        next.restore(bytes);

        assertThat(next.days()).isEqualTo(log.days()).hasSize(4);
    }
}
