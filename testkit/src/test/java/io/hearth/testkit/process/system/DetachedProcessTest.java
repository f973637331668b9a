// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import io.hearth.testkit.process.system.ProcessTable.ProcessState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedProcessTest {

    @TempDir
    private Path folder;

    private DetachedProcess launch(String script) {
        return new DetachedProcess(List.of("sh", "-c", script), Map.of("WORD", "hello"), folder.resolve("out"));
    }

    @Test
    void itRunsInTheProcessWhoseIdentityWasWrittenDown() throws Exception {
        List<ProcessId> written = new ArrayList<>();

        launch("echo $WORD $$").start(new ProcessTable(Path.of("/proc")), written::add);

        await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(folder.resolve("out"))
                .hasContent("hello " + written.get(0).pid() + "\n"));
    }

    @Test
    void whatCouldNotBeWrittenDownNeverBegins() throws Exception {
        ProcessTable processes = new ProcessTable(Path.of("/proc"));
        List<ProcessId> begun = new ArrayList<>();

        assertThatThrownBy(() -> launch("echo begun").start(processes, id -> {
                    begun.add(id);
                    throw new IOException("The disk is full.");
                }))
                .hasMessage("The disk is full.");

        await().atMost(Duration.ofSeconds(10)).until(() -> processes.processState(begun.get(0)) == ProcessState.ENDED);
        assertThat(Files.readString(folder.resolve("out"))).isEmpty();
    }
}
