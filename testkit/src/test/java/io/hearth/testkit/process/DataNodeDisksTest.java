// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** On a disk of which every write fails for want of room. */
@EnabledOnOs(OS.LINUX)
class DataNodeDisksTest {

    @TempDir
    private Path disk;

    @BeforeEach
    void noRoom() throws Exception {
        Files.createSymbolicLink(disk.resolve("filling"), Path.of("/dev/full"));
    }

    @Test
    void whatIsDeletedWhileItIsFilledIsTakenAsWell() throws Exception {
        Deque<Long> free = new ArrayDeque<>(List.of(1_000_000L, 70_000L, 0L));

        DataNodeDisks.fill(disk, free::remove);

        assertThat(free).isEmpty();
    }

    @Test
    void aDiskThatCannotBeFilledIsAnError() {
        assertThatThrownBy(() -> DataNodeDisks.fill(disk, () -> 1_000_000L))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
    }
}
