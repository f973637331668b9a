// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.datanode.config.ReadCacheSettings.Admission;
import io.hearth.datanode.config.ReadCacheSettings.Mode;
import io.hearth.datanode.config.ReadCacheSettings.ReadCacheConfig;
import io.hearth.datanode.config.ReadCacheSettings.ShadowVariant;
import io.hearth.datanode.config.ReadCacheSettings.Storage;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadCacheSettingsTest {

    private static final long TB = 1L << 40;
    private final Map<String, String> site = new HashMap<>();

    private ReadCacheSettings.Reading read() {
        return ReadCacheSettings.read("hdfs-site.xml", new MapSettings(site));
    }

    @Test
    void everyKeyHasADefault() {
        assertThat(read().problems()).isEmpty();
        assertThat(read().alluxioFolder()).isEmpty();
        assertThat(read().config())
                .isEqualTo(new ReadCacheConfig(
                        Mode.OFF,
                        Optional.empty(),
                        new Storage(TB, 10_737_418_240L, 100_000, 1 << 20, 1.0),
                        new Admission(20, 60),
                        List.of(
                                new ShadowVariant(new Admission(20, 60), TB),
                                new ShadowVariant(new Admission(20, 60), 2 * TB),
                                new ShadowVariant(new Admission(20, 60), 4 * TB),
                                new ShadowVariant(new Admission(5, 60), 4 * TB),
                                new ShadowVariant(new Admission(59, 60), 4 * TB))));
    }

    @Test
    void everyKeyIsRead() {
        site.put("hearth.datanode.cache.mode", "Shadow");
        site.put("hearth.datanode.cache.dir", "/ssd/cache");
        site.put("hearth.datanode.cache.alluxio.dir", "/opt/alluxio");
        site.put("hearth.datanode.cache.max.bytes", "2g");
        site.put("hearth.datanode.cache.min.free.bytes", "7");
        site.put("hearth.datanode.cache.max.blocks", "8");
        site.put("hearth.datanode.cache.page.bytes", "0");
        site.put("hearth.datanode.cache.admission.reads", "5");
        site.put("hearth.datanode.cache.admission.minutes", "30");
        site.put("hearth.datanode.cache.max.daily.writes", "0.5");
        site.put("hearth.datanode.cache.shadow", " 1/2/3MB ");

        assertThat(read().problems()).isEmpty();
        assertThat(read().alluxioFolder()).contains(Path.of("/opt/alluxio"));
        assertThat(read().config())
                .isEqualTo(new ReadCacheConfig(
                        Mode.SHADOW,
                        Optional.of(Path.of("/ssd/cache")),
                        new Storage(2L << 30, 7, 8, 0, 0.5),
                        new Admission(5, 30),
                        List.of(new ShadowVariant(new Admission(1, 2), 3 << 20))));
        assertThat(read().config().storage().wholeBlocks()).isTrue();
        assertThat(read().config().storage().pageBytes()).isEqualTo(1 << 20);
        assertThat(read().config().storage().bytesPerDay()).isEqualTo(1L << 30);
    }

    @Test
    void whatCannotBeUsedIsOneClearLine() {
        site.put("hearth.datanode.cache.mode", "onn");
        site.put("hearth.datanode.cache.dir", "ssd/cache");
        site.put("hearth.datanode.cache.shadow", "20/60");

        assertThat(read().config().mode()).isEqualTo(Mode.OFF);
        assertThat(read().config().folder()).isEmpty();
        assertThat(read().config().shadowVariants()).hasSize(5);
        assertThat(read().problems())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "hearth.datanode.cache.mode = 'onn' in hdfs-site.xml can't be used: it must be off, shadow or on. off"
                                + " is used instead.",
                        "hearth.datanode.cache.dir = 'ssd/cache' in hdfs-site.xml can't be used: it must be an absolute path"
                                + " or none. none is used instead.",
                        "hearth.datanode.cache.shadow = '20/60' in hdfs-site.xml can't be used: it must be at most 12 of"
                                + " reads/minutes/size, like 20/60/4TB, with blanks between them. 20/60/1TB 20/60/2TB"
                                + " 20/60/4TB 5/60/4TB 59/60/4TB is used instead.");
    }

    @Test
    void noMoreVariantsThanTwelve() {
        site.put("hearth.datanode.cache.shadow", "1/2/3m ".repeat(12));
        assertThat(read().config().shadowVariants()).hasSize(12);
        site.put("hearth.datanode.cache.shadow", "1/2/3m ".repeat(13));
        assertThat(read().problems()).hasSize(1);
        site.put("hearth.datanode.cache.shadow", "1/0/3m");
        assertThat(read().problems()).hasSize(1);
    }

    /** Pages of a few bytes would cost more than they save. */
    @Test
    void aPageHasAtLeastFourKilobytes() {
        site.put("hearth.datanode.cache.page.bytes", "1");
        assertThat(read().config().storage().pageBytes()).isEqualTo(4_096);
        assertThat(read().config().storage().wholeBlocks()).isFalse();
    }
}
