// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.probe.ProbeResult;
import io.hearth.slo.probe.ProbeResult.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyHistogramTest {

    /** Beside a sorted list in which those that were not answered come last. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void percentilesAreThoseOfAllDueProbes(long seed) {
        Random random = new Random(seed);
        LatencyHistogram histogram = new LatencyHistogram();
        List<Long> sorted = new ArrayList<>();
        int probes = 1 + random.nextInt(seed % 2 == 0 ? 10 : 3_000);
        double failing = random.nextDouble() * 0.3;
        for (int probe = 0; probe < probes; probe++) {
            ProbeResult result = random(random, failing);
            histogram.add(result);
            sorted.add(result.outcome() == Outcome.ANSWERED ? result.latencyMicros() : Long.MAX_VALUE);
        }
        Collections.sort(sorted);

        assertThat(histogram.due()).isEqualTo(probes);
        for (double percent : new double[] {0.1, 1, 25, 50, 75, 90, 99, 99.9, 99.99, 100}) {
            long expected = sorted.get((int) Math.max(0, Math.ceil(probes * percent / 100 - 1e-9) - 1));
            String what = "seed " + seed + ", p" + percent;
            if (expected == Long.MAX_VALUE) {
                assertThat(histogram.percentileMicros(percent)).as(what).isEmpty();
            } else {
                assertThat(histogram.percentileMicros(percent).getAsLong())
                        .as(what)
                        .isBetween(expected, expected + expected / 100 + 1);
            }
        }
    }

    /** Merging never averages: it is as if all had been counted in one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void addingIsCountingAllInOne(long seed) throws Exception {
        Random random = new Random(seed);
        LatencyHistogram all = new LatencyHistogram();
        LatencyHistogram sum = new LatencyHistogram();
        for (int part = 0; part < 10; part++) {
            LatencyHistogram one = new LatencyHistogram();
            for (int probe = random.nextInt(500); probe > 0; probe--) {
                ProbeResult result = random(random, 0.1);
                one.add(result);
                all.add(result);
            }
            sum.add(LatencyHistogram.decoded(ByteBuffer.wrap(one.encoded()), one.due() - one.answered()));
        }

        assertThat(sum.due()).as("seed %d", seed).isEqualTo(all.due());
        assertThat(sum.answered()).isEqualTo(all.answered());
        assertThat(sum.maxMicros()).isEqualTo(all.maxMicros());
        for (int permille = 1; permille <= 1_000; permille++) {
            assertThat(sum.percentileMicros(permille / 10.0))
                    .as("seed %d, p%s", seed, permille / 10.0)
                    .isEqualTo(all.percentileMicros(permille / 10.0));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 127, 255, 256, 1_000, 50_000, 20_000_000, 3_600_000_000L})
    void whatWasAnsweredWithinALimitIsExactToAHundredth(long limitMicros) {
        LatencyHistogram histogram = new LatencyHistogram();
        long muchLonger = limitMicros + limitMicros / 50 + 1;
        histogram.add(answered(limitMicros));
        histogram.add(answered(muchLonger));
        histogram.add(new ProbeResult(ProbeKind.GET, "s", 0, 1, Outcome.FAILED));

        assertThat(histogram.answeredWithin(limitMicros)).isEqualTo(limitMicros == LatencyHistogram.MAX_MICROS ? 2 : 1);
        assertThat(histogram.answeredWithin(-1)).isZero();
        assertThat(histogram.answered()).isEqualTo(2);
        assertThat(histogram.due()).isEqualTo(3);
        assertThat(histogram.percentileMicros(100)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000_001L, Long.MAX_VALUE})
    void moreThanAnHourIsAnHour(long micros) {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.add(answered(micros));

        assertThat(histogram.maxMicros().getAsLong()).isBetween(3_600_000_000L, 3_636_000_000L);
        assertThat(new LatencyHistogram().maxMicros()).isEmpty();
        assertThat(new LatencyHistogram().percentileMicros(50)).isEmpty();
        assertThat(new LatencyHistogram().answeredSumMicros()).isZero();
    }

    private static ProbeResult answered(long micros) {
        return new ProbeResult(ProbeKind.GET, "s", 0, micros, Outcome.ANSWERED);
    }

    private static ProbeResult random(Random random, double failing) {
        long micros = (long) (1_000 * Math.exp(2 * random.nextGaussian()));
        Outcome[] bad = {Outcome.FAILED, Outcome.TIMED_OUT, Outcome.NOT_SENT};
        return new ProbeResult(
                ProbeKind.GET,
                "s",
                0,
                micros,
                random.nextDouble() < failing ? bad[random.nextInt(bad.length)] : Outcome.ANSWERED);
    }
}
