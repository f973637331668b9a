// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.doctor.capacity.MemstoreLimits.OldKey;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProcessConfig;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemstoreLimitsTest {

    private static final String SHARE = "hbase.regionserver.global.memstore.size";
    private static final String OLD_SHARE = "hbase.regionserver.global.memstore.upperLimit";
    private static final String MARK = "hbase.regionserver.global.memstore.size.lower.limit";
    private static final String OLD_MARK = "hbase.regionserver.global.memstore.lowerLimit";

    @Test
    void withoutAKeyTheDefaultsHold() {
        assertThat(MemstoreLimits.of(new ProcessConfig(Map.of())))
                .isEqualTo(new MemstoreLimits(0.4, HadoopKey.MEMSTORE_FRACTION, 0.95, java.util.List.of()));
    }

    @Test
    void theNamesOfBeforeAreReadAndNamed() {
        MemstoreLimits limits = MemstoreLimits.of(new ProcessConfig(Map.of(OLD_SHARE, "0.5", OLD_MARK, "0.45")));

        assertThat(limits.heapShare()).isEqualTo(0.5);
        assertThat(limits.heapShareKey()).isEqualTo(HadoopKey.OLD_MEMSTORE_FRACTION);
        assertThat(limits.lowerMark()).isEqualTo(0.9);
        assertThat(limits.oldKeys())
                .containsExactly(
                        new OldKey(HadoopKey.OLD_MEMSTORE_FRACTION, HadoopKey.MEMSTORE_FRACTION, "0.5", true),
                        new OldKey(HadoopKey.OLD_MEMSTORE_LOWER_LIMIT, HadoopKey.MEMSTORE_LOWER_MARK, "0.9", true));
    }

    @Test
    void whereBothAreSetTheOneOfTodayHolds() {
        MemstoreLimits limits = MemstoreLimits.of(new ProcessConfig(Map.of(SHARE, "0.3", OLD_SHARE, "0.5")));

        assertThat(limits.heapShare()).isEqualTo(0.3);
        assertThat(limits.heapShareKey()).isEqualTo(HadoopKey.MEMSTORE_FRACTION);
        assertThat(limits.oldKeys()).extracting(OldKey::isUsed).containsExactly(false);
    }

    @Test
    void whatIsNoNumberIsNotGuessed() {
        assertThatThrownBy(() -> MemstoreLimits.of(new ProcessConfig(Map.of(OLD_SHARE, "half"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(OLD_SHARE + " is half, which is not a number");
    }

    /** The same as HBase makes of it, whatever is set. */
    @ParameterizedTest
    @CsvSource({
        ",,,",
        "0.3,,,",
        ",0.35,,",
        "0.3,0.35,,",
        "0.9,,,",
        "0,,,",
        ",0.85,,",
        "0.4,,0.8,",
        "0.4,,1.5,",
        "0.4,,,0.38",
        "0.4,,,0.5",
        ",0.35,,0.3",
        "0.4,,0.8,0.3",
    })
    void hbaseReadsTheSame(String share, String oldShare, String mark, String oldMark) {
        Configuration conf = new Configuration(false);
        ProcessConfig settings = new ProcessConfig(Map.of());
        String[][] lines = {{SHARE, share}, {OLD_SHARE, oldShare}, {MARK, mark}, {OLD_MARK, oldMark}};
        for (String[] line : lines) {
            if (line[1] != null) {
                conf.set(line[0], line[1]);
                settings = settings.with(line[0], line[1]);
            }
        }

        MemstoreLimits limits = MemstoreLimits.of(settings);

        assertThat((float) limits.heapShare()).isEqualTo(MemorySizeUtil.getGlobalMemStoreHeapPercent(conf, false));
        assertThat(limits.lowerMark())
                .isCloseTo(
                        MemorySizeUtil.getGlobalMemStoreHeapLowerMark(conf, true),
                        org.assertj.core.data.Offset.offset(1e-6));
    }
}
