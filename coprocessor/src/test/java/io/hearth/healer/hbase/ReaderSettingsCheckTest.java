// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.hbase.MasterHealer.ReaderSettingsCheck;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ReaderSettingsCheckTest {

    private final Configuration conf = new Configuration(false);

    @Test
    void bothAreOffByDefault() {
        assertThat(ReaderSettingsCheck.advice(conf))
                .contains("As far as the master's configuration shows, RegionServers will neither read healed blocks"
                        + " locally nor report the healed locality before a region is reopened. Set"
                        + " hbase.locality.inputstream.derive.enabled = true and"
                        + " dfs.client.refresh.read-block-locations.ms = 10000 or less on the RegionServers.");
    }

    @Test
    void nothingToSayWhereBothAreOn() {
        conf.setBoolean(ReaderSettingsCheck.DERIVE, true);
        conf.setLong(ReaderSettingsCheck.REFRESH_MS, 5_000);

        assertThat(ReaderSettingsCheck.advice(conf)).isEmpty();
    }
}
