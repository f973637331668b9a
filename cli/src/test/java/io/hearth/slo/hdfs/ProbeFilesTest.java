// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a folder of this machine instead of one in HDFS. */
class ProbeFilesTest {

    private static final long HOUR_MS = 3_600_000;

    @TempDir
    private java.nio.file.Path folder;

    private final RawLocalFileSystem fs = new RawLocalFileSystem();

    @BeforeEach
    void open() throws IOException {
        fs.initialize(URI.create("file:///"), new Configuration(false));
    }

    @AfterEach
    void close() throws IOException {
        fs.close();
    }

    private ProbeFiles files(String instance) {
        return new ProbeFiles(fs, new Path(folder.toString()), instance);
    }

    private void create(Path file) throws IOException {
        fs.create(file).close();
    }

    private List<String> names(String instance) throws IOException {
        try (Stream<java.nio.file.Path> names = Files.list(folder.resolve(instance))) {
            return names.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void age(String path, long ms) throws IOException {
        fs.setTimes(new Path(folder.resolve(path).toString()), System.currentTimeMillis() - ms, -1);
    }

    @Test
    void aDaemonThatStartsLeavesNothingOfTheOneThatWasKilledBefore() throws IOException {
        ProbeFiles killed = files("west");
        killed.clear();
        create(killed.file("host1:9866", false));
        create(killed.file("host1:9866", true));
        assertThat(names("west")).containsExactly("host1_9866.a", "host1_9866.b");

        files("west").clear();

        assertThat(names("west")).isEmpty();
    }

    @Test
    void filesOfDataNodesThatAreGoneAreDeleted() throws IOException {
        ProbeFiles files = files("west");
        files.clear();
        for (String target : List.of("host1:9866", "host2:9866", "host2:9867")) {
            create(files.file(target, false));
            create(files.file(target, true));
        }

        files.keepOnly(Set.of("host2:9866"));

        assertThat(names("west")).containsExactly("host2_9866.a", "host2_9866.b");
    }

    @Test
    void whatOthersHaveNotWrittenForTwoHoursIsLeftBehindAndWhatTheyWriteIsTheirs() throws IOException {
        ProbeFiles own = files("west");
        own.clear();
        for (String other : List.of("east", "north")) {
            ProbeFiles files = files(other);
            files.clear();
            create(files.file("host1:9866", false));
            create(files.file("host1:9866", true));
        }
        create(own.file("host1:9866", false));
        for (String old :
                List.of("west/host1_9866.a", "east/host1_9866.a", "east/host1_9866.b", "north/host1_9866.a")) {
            age(old, 3 * HOUR_MS);
        }
        age("north/host1_9866.b", HOUR_MS);

        own.sweep();

        assertThat(names("west")).containsExactly("host1_9866.a");
        assertThat(names("north")).containsExactly("host1_9866.b");
        assertThat(names("east")).isEmpty();

        age("east", 3 * HOUR_MS);
        own.sweep();
        assertThat(Arrays.asList(folder.toFile().list())).containsExactlyInAnyOrder("west", "north");

        own.delete();
        assertThat(Arrays.asList(folder.toFile().list())).containsExactly("north");
    }

    @Test
    void aDaemonWhoseFolderIsNotItsOwnRefusesItAndDeletesNothing() throws IOException {
        ProbeFiles files = files("west");
        files.clear();
        create(files.file("host1:9866", false));
        create(new Path(folder.resolve("west/day=1/part-0").toString()));

        assertThatThrownBy(files::clear)
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("west")
                        + " has day=1, which no probe has written, so no DataNode is probed. Name a folder that nobody else"
                        + " uses with --hdfs-folder");
        assertThat(names("west")).containsExactly("day=1", "host1_9866.a");
    }

    @Test
    void whatIsPutThereLaterStaysWithItsFolder() throws IOException {
        ProbeFiles files = files("west");
        files.clear();
        create(files.file("host1:9866", false));
        create(new Path(folder.resolve("west/report.csv").toString()));
        create(new Path(folder.resolve("west/host2_9866.a/part-0").toString()));

        files.keepOnly(Set.of());
        assertThat(names("west")).containsExactly("host2_9866.a", "report.csv");

        create(files.file("host1:9866", true));
        files.delete();
        assertThat(names("west")).containsExactly("host2_9866.a", "report.csv");
        assertThat(folder.resolve("west/host2_9866.a/part-0")).exists();
    }

    /** A probe's file has 64 KiB; what is longer is somebody's, whatever its name. */
    @Test
    void foldersOfOthersAreNotSweptHoweverOldTheirFilesAre() throws IOException {
        ProbeFiles own = files("west");
        own.clear();
        create(new Path(folder.resolve("logs/2026-01-01.log").toString()));
        create(new Path(folder.resolve("logs/host1_9866.a").toString()));
        create(new Path(folder.resolve("dumps/core_1.a").toString()));
        Files.write(folder.resolve("dumps/core_1.a"), new byte[DataNodeProbes.BYTES + 1]);
        Files.createDirectory(folder.resolve("inbox"));
        for (String old :
                List.of("logs/2026-01-01.log", "logs/host1_9866.a", "logs", "dumps/core_1.a", "dumps", "inbox")) {
            age(old, 3 * HOUR_MS);
        }

        own.sweep();

        assertThat(names("logs")).containsExactly("2026-01-01.log", "host1_9866.a");
        assertThat(names("dumps")).containsExactly("core_1.a");
        assertThat(names("inbox")).isEmpty();
    }
}
