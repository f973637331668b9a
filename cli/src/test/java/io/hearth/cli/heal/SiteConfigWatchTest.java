// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.hadoop.ConfigFileWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteConfigWatchTest {

    @TempDir
    private Path folder;

    private ConfigFileWatcher watch;

    @BeforeEach
    void before() throws IOException {
        write("hbase-site.xml", site("1"), 1_000);
        Optional<Path> named = Optional.of(folder);
        watch = new ConfigFileWatcher(
                () -> SiteConfigLoader.files(named, Map.of()), () -> SiteConfigLoader.load(named, Map.of()));
    }

    @Test
    void saysWhatIsNewOnce() throws IOException {
        assertThat(watch.changed(0)).isEmpty();

        write("hbase-site.xml", site("2"), 2_000);
        assertThat(watch.changed(1))
                .map(conf -> conf.get("hearth.heal.cluster.bandwidth"))
                .contains("2");
        assertThat(watch.changed(2)).isEmpty();

        write("hdfs-site.xml", site("3"), 2_000);
        assertThat(watch.changed(3)).as("a file that was not there before").isPresent();
    }

    @Test
    void whatCanNotBeReadIsPassedOverUntilItCan() throws IOException {
        write("hbase-site.xml", "<configuration><property><name>hearth.he", 2_000);
        assertThat(watch.changed(0)).isEmpty();
        assertThat(watch.changed(1)).isEmpty();

        write("hbase-site.xml", site("4"), 2_000);
        assertThat(watch.changed(2))
                .map(conf -> conf.get("hearth.heal.cluster.bandwidth"))
                .contains("4");
    }

    @Test
    void theFoldersOfTheEnvironmentAreWatchedWhereNoneIsNamed() {
        assertThat(SiteConfigLoader.files(Optional.empty(), Map.of("HBASE_CONF_DIR", folder.toString())))
                .contains(folder.resolve("hbase-site.xml"));
    }

    private static String site(String bandwidth) {
        return "<configuration><property><name>hearth.heal.cluster.bandwidth</name><value>" + bandwidth
                + "</value></property></configuration>";
    }

    private void write(String name, String text, long modifiedMs) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMs));
    }
}
