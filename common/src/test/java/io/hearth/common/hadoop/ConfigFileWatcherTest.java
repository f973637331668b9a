// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileWatcherTest {

    @TempDir
    private Path folder;

    private final List<Path> files = new ArrayList<>();
    private ConfigFileWatcher watcher;

    @BeforeEach
    void aFileIsWatched() throws IOException {
        files.add(write("site.xml", "1", 1_000));
        watcher = new ConfigFileWatcher(() -> files, this::load);
    }

    @Test
    void aChangeIsReadOnce() throws IOException {
        assertThat(watcher.changed(0)).isEmpty();

        write("site.xml", "2", 2_000);

        assertThat(watcher.changed(1)).map(conf -> conf.get("key")).contains("2");
        assertThat(watcher.changed(2)).isEmpty();
    }

    @Test
    void aFileThatJoinsOrGoesIsAChange() throws IOException {
        files.add(write("other.xml", "3", 1_000));
        assertThat(watcher.changed(0)).map(conf -> conf.get("key")).contains("3");
        assertThat(watcher.files()).containsExactlyElementsOf(files);

        files.remove(1);
        assertThat(watcher.changed(1)).map(conf -> conf.get("key")).contains("1");
        assertThat(watcher.changed(2)).isEmpty();
    }

    /** Whether who lists the files still has it or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whileAFileIsAwayNothingIsRead(boolean isStillListed) throws IOException {
        Path site = files.get(0);
        Path other = write("other.xml", "3", 1_000);
        files.add(0, other);
        assertThat(watcher.changed(0)).map(conf -> conf.get("key")).contains("1");

        Files.delete(site);
        if (!isStillListed) {
            files.remove(site);
        }
        write("other.xml", "4", 2_000);
        assertThat(watcher.changed(1)).isEmpty();
        assertThat(watcher.changed(2)).isEmpty();
        assertThat(watcher.files()).contains(site);

        write("site.xml", "2", 1_000);
        if (!isStillListed) {
            files.add(site);
        }
        assertThat(watcher.changed(3)).map(conf -> conf.get("key")).contains("2");
        assertThat(watcher.changed(4)).isEmpty();
    }

    /** Broken (it is waited for without end): nothing that is changed in the others is read again, not even a switch that turns it off. */
    @Test
    void afterAMinuteAFileIsRemoved() throws IOException {
        Path other = write("other.xml", "3", 1_000);
        files.add(other);
        assertThat(watcher.changed(0)).map(conf -> conf.get("key")).contains("3");

        Files.delete(files.get(0));
        write("other.xml", "4", 2_000);
        assertThat(watcher.changed(1)).isEmpty();
        assertThat(watcher.changed(60_000)).isEmpty();
        assertThat(watcher.changed(60_001)).map(conf -> conf.get("key")).contains("4");
        assertThat(watcher.changed(60_002)).isEmpty();

        write("site.xml", "1", 3_000);
        write("other.xml", "5", 3_000);
        assertThat(watcher.changed(60_003)).map(conf -> conf.get("key")).contains("5");
    }

    @Test
    void aHalfWrittenFileIsReadOnceItIsWhole() throws IOException {
        Path half = folder.resolve("site.xml");
        Files.writeString(half, "<configuration><property><name>ke");
        Files.setLastModifiedTime(half, FileTime.fromMillis(2_000));
        assertThat(watcher.changed(0)).isEmpty();
        assertThat(watcher.changed(1)).isEmpty();

        write("site.xml", "4", 2_000);
        assertThat(watcher.changed(2)).map(conf -> conf.get("key")).contains("4");
    }

    private Configuration load() {
        Configuration conf = new Configuration(false);
        files.forEach(file -> conf.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        return conf;
    }

    private Path write(String name, String value, long modifiedMs) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(
                file,
                "<configuration><property><name>key</name><value>" + value + "</value></property></configuration>");
        Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMs));
        return file;
    }
}
