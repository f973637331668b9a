// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TsdbRowKeysTest {

    /** 2026-11-22 05:51:57 UTC; its hour began 3,117 seconds earlier. */
    private static final long TIME_MS = 1_795_326_717_123L;

    private static final TsdbRowKeys PLAIN = new TsdbRowKeys(128, false, 32);
    private static final TsdbRowKeys SALTED = new TsdbRowKeys(128, true, 20);

    private static String hex(byte[] key) {
        return HexFormat.of().formatHex(key);
    }

    @Test
    void aKeyIsMetricHourAndTags() {
        assertThat(hex(PLAIN.key(2, 1, 7, TIME_MS))).isEqualTo("000002" + "6b0276d0" + "000001" + "000007");
        assertThat(hex(PLAIN.key(2, 1, 7, TIME_MS + 3_600_000))).isEqualTo("000002" + "6b0284e0" + "000001" + "000007");
        assertThat(hex(PLAIN.key(0x012345, 1, 7, TIME_MS))).startsWith("012345");
    }

    @Test
    void aSaltedKeyBeginsWithTheBucketOfItsSeriesWhateverTheHour() {
        String key = hex(SALTED.key(2, 1, 7, TIME_MS));

        assertThat(key).hasSize(28).endsWith(hex(PLAIN.key(2, 1, 7, TIME_MS)));
        assertThat(hex(SALTED.key(2, 1, 7, TIME_MS + 3_600_000))).startsWith(key.substring(0, 2));
        assertThat(IntStream.range(1, 1_000).map(metric -> SALTED.key(metric, 1, 1, TIME_MS)[0]))
                .allMatch(salt -> salt >= 0 && salt < 20)
                .contains(0, 19);
    }

    /** By the rows that OpenTSDB 2.4.1 made: 31 hashed over metric, tagk and tagv, modulo 20. */
    @Test
    void theBucketIsThatOfOpenTsdb() {
        int hash = 1;
        for (int part : new int[] {0, 0, 2, 0, 0, 1, 0, 0, 7}) {
            hash = 31 * hash + part;
        }

        assertThat(SALTED.key(2, 1, 7, TIME_MS)[0]).isEqualTo((byte) Math.abs(hash % 20));
    }

    @Test
    void withoutSaltEachRegionHasAsManyMetrics() {
        assertThat(PLAIN.splits().stream().map(TsdbRowKeysTest::hex))
                .hasSize(31)
                .startsWith("000005", "000009")
                .endsWith("00007d");
        int[] metricsOfRegion = new int[32];
        for (int metric = 1; metric <= 128; metric++) {
            metricsOfRegion[PLAIN.regionOf(PLAIN.key(metric, 1, 8, TIME_MS))]++;
        }
        assertThat(metricsOfRegion).containsOnly(4);
    }

    @Test
    void withSaltEachBucketHasARegion() {
        assertThat(SALTED.splits().stream().map(TsdbRowKeysTest::hex))
                .hasSize(19)
                .startsWith("01")
                .endsWith("13");
        byte[] key = SALTED.key(2, 1, 7, TIME_MS);
        assertThat(SALTED.regionOf(key)).isEqualTo(key[0]);
    }

    @Test
    void whatCanNotBeSplitSoIsRefused() {
        assertThat(new TsdbRowKeys(1, false, 1).splits()).isEqualTo(List.of());
        assertThatThrownBy(() -> new TsdbRowKeys(4, false, 5)).hasMessage("5 regions for 4 metrics");
        assertThatThrownBy(() -> new TsdbRowKeys(128, true, 32)).hasMessage("32 regions for 128 metrics in 20 buckets");
    }
}
