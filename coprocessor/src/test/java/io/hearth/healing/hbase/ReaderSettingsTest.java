package io.hearth.healing.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ReaderSettingsTest {

    private final Configuration conf = new Configuration(false);

    @Test
    void bothAreOffByDefault() {
        assertThat(ReaderSettings.advice(conf))
                .contains("As far as the master's configuration shows, RegionServers will neither read healed blocks"
                        + " locally nor report the healed locality before a region is reopened. Set"
                        + " hbase.locality.inputstream.derive.enabled = true and"
                        + " dfs.client.refresh.read-block-locations.ms = 10000 or less on the RegionServers.");
    }

    @Test
    void nothingToSayWhereBothAreOn() {
        conf.setBoolean(ReaderSettings.DERIVE, true);
        conf.setLong(ReaderSettings.REFRESH_MS, 5_000);

        assertThat(ReaderSettings.advice(conf)).isEmpty();
    }
}
