// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DataNodeSettingsTest {

    @Test
    void everyKeyIsKnown() {
        Map<String, String> all = DataNodeSettings.ALL.stream()
                .collect(Collectors.toMap(Setting::key, setting -> "" + setting.defaultValue()));

        assertThat(all).hasSize(16);
        assertThat(DataNodeSettings.read("hdfs-site.xml", new MapSettings(all)).problems())
                .isEmpty();
    }

    @Test
    void whatIsWrongInEitherPartIsTold() {
        DataNodeSettings.Reading reading = DataNodeSettings.read(
                "hdfs-site.xml",
                new MapSettings(Map.of(
                        "hearth.datanode.deletion.delay.mss", "7",
                        "hearth.datanode.deletion.delay.ms", "7000",
                        "hearth.datanode.cache.mode", "maybe",
                        "hearth.datanode.cache.alluxio.dir", "/opt/alluxio",
                        "hearth.datanode.cache.directory", "/ssd")));

        assertThat(reading.deletionDelay().delayMs()).isEqualTo(7_000);
        assertThat(reading.readCache().mode()).isEqualTo(Mode.OFF);
        assertThat(reading.alluxioFolder()).contains(Path.of("/opt/alluxio"));
        assertThat(reading.problems())
                .extracting(ConfigProblem::message)
                .containsExactlyInAnyOrder(
                        "hearth.datanode.cache.mode = 'maybe' in hdfs-site.xml can't be used: it must be off, shadow or on."
                                + " off is used instead.",
                        "hearth.datanode.cache.directory in hdfs-site.xml is not a key of Hearth and has no effect. The"
                                + " nearest known key is hearth.datanode.cache.dir.",
                        "hearth.datanode.deletion.delay.mss in hdfs-site.xml is not a key of Hearth and has no effect. The"
                                + " nearest known key is hearth.datanode.deletion.delay.ms.");
    }
}
