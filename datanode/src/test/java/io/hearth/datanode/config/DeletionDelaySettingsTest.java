// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.datanode.config.DeletionDelaySettings.DeletionDelayConfig;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class DeletionDelaySettingsTest {

    private final Configuration conf = new Configuration(false);

    private DeletionDelaySettings.Reading read() {
        return DeletionDelaySettings.read("hdfs-site.xml", new ConfigurationSettings(conf));
    }

    @Test
    void everyKeyHasADefault() {
        assertThat(read().config())
                .isEqualTo(new DeletionDelayConfig(true, 30_000, 10_737_418_240L, 2_000, 17_179_869_184L));
        assertThat(read().problems()).isEmpty();
    }

    @Test
    void everyKeyIsRead() {
        conf.set("hearth.datanode.deletion.delay.ms", "15000");
        conf.set("hearth.datanode.deletion.delay.min.free.bytes", "7");
        conf.set("hearth.datanode.deletion.delay.max.replicas", "8");
        conf.set("hearth.datanode.deletion.delay.max.bytes", "9");
        assertThat(read().config()).isEqualTo(new DeletionDelayConfig(true, 15_000, 7, 8, 9));

        conf.set("hearth.datanode.deletion.delay.enabled", "false");
        assertThat(read().config().delayMs()).isZero();
    }

    @Test
    void sizesTakeHadoopsSuffixes() {
        conf.set("hearth.datanode.deletion.delay.min.free.bytes", "2g");
        conf.set("hearth.datanode.deletion.delay.max.bytes", "1.5GB");

        assertThat(read().config()).isEqualTo(new DeletionDelayConfig(true, 30_000, 2L << 30, 2_000, 3L << 29));
    }

    @Test
    void whatCannotBeUsedIsOneClearLine() {
        conf.set("hearth.datanode.deletion.delay.ms", "30 seconds");
        conf.set("hearth.datanode.deletion.delay.enabled", "maybe");

        assertThat(read().config())
                .isEqualTo(new DeletionDelayConfig(false, 30_000, 10_737_418_240L, 2_000, 17_179_869_184L));
        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.datanode.deletion.delay.enabled = 'maybe' in hdfs-site.xml can't be used: it must be true or"
                                + " false. false is used instead.",
                        "hearth.datanode.deletion.delay.ms = '30 seconds' in hdfs-site.xml can't be used: it must be a time from"
                                + " 0 to 3600000 ms (a number, or one like 30s or 10m). 30000 is used instead.");
    }
}
