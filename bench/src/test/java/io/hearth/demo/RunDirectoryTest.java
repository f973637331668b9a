// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
    @TempDir
    private Path parent;

    @Test
    void a_run_leaves_nothing() throws IOException {
        try (RunDirectory run = RunDirectory.create(parent)) {
            Files.createDirectories(run.path().resolve("cluster/dfs"));
            Files.writeString(run.path().resolve("cluster/dfs/block"), "data");
        }

        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void the_leftovers_of_a_killed_run_are_removed_by_the_next() throws IOException {
        Path killed = Files.createDirectories(parent.resolve("hearth-demo-killed/cluster"))
                .getParent();
        Files.createFile(killed.resolve("lock"));
        Path halfRemoved = Files.createDirectories(parent.resolve("hearth-demo-half"));
        Files.setLastModifiedTime(halfRemoved, FileTime.from(Instant.EPOCH));

        try (RunDirectory run = RunDirectory.create(parent)) {
            assertThat(parent).isDirectoryNotContaining(path -> !path.equals(run.path()));
        }
    }

    @Test
    void what_is_alive_or_just_beginning_or_not_ours_stays() throws IOException {
        Path begun = Files.createDirectories(parent.resolve("hearth-demo-begun"));
        Path other = Files.createDirectories(parent.resolve("other"));
        try (RunDirectory first = RunDirectory.create(parent);
                RunDirectory second = RunDirectory.create(parent)) {
            assertThat(first.path()).exists().isNotEqualTo(second.path());
            assertThat(begun).exists();
            assertThat(other).exists();
        }
    }
}
