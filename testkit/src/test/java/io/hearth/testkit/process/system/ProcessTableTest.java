// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import io.hearth.testkit.process.system.ProcessTable.ProcessStat;
import io.hearth.testkit.process.system.ProcessTable.ProcessState;
import io.hearth.testkit.process.system.ProcessTable.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a folder that looks like {@code /proc}; the last ones on real processes of their own. */
class ProcessTableTest {

    private static final ProcessId STARTED = new ProcessId(4711, 90_000, "boot-1");

    @TempDir
    private Path proc;

    @BeforeEach
    void boot() throws IOException {
        Files.createDirectories(proc.resolve("sys/kernel/random"));
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot-1\n");
    }

    private void process(long pid, String name, char state, long startTicks) throws IOException {
        Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                proc.resolve(pid + "/stat"),
                pid + " (" + name + ") " + state + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 30 0 " + startTicks
                        + " 0 0 0\n");
    }

    @Test
    void aProcessIsTheOneThatWasStartedIfNumberStartAndBootAreTheSame() throws IOException {
        process(4711, "java", 'S', 90_000);

        ProcessTable processes = new ProcessTable(proc);

        assertThat(processes.identify(4711)).contains(STARTED);
        assertThat(processes.processState(STARTED)).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void anotherOwnerOfTheNumberIsNotIt() throws IOException {
        process(4711, "someone-else", 'R', 90_001);

        assertThat(new ProcessTable(proc).processState(STARTED)).isEqualTo(ProcessState.ENDED);
    }

    @Test
    void afterAStartOfTheMachineTheSameNumberAndTickAreNotIt() throws IOException {
        process(4711, "someone-else", 'R', 90_000);
        Files.writeString(proc.resolve("sys/kernel/random/boot_id"), "boot-2\n");

        assertThat(new ProcessTable(proc).processState(STARTED)).isEqualTo(ProcessState.ENDED);
    }

    @Test
    void theNameOfACommandMayLookLikeTheRestOfTheLine() throws IOException {
        process(4711, "a) R 1 (b", 'T', 90_000);

        assertThat(new ProcessTable(proc).processState(STARTED)).isEqualTo(ProcessState.STOPPED);
    }

    @Test
    void whatHasEndedAndWasNotBuriedHasEnded() throws IOException {
        process(4711, "java", 'Z', 90_000);

        assertThat(new ProcessTable(proc).processState(STARTED)).isEqualTo(ProcessState.ENDED);
        assertThat(new ProcessTable(proc).identify(4711)).isEmpty();
        assertThat(new ProcessTable(proc).identify(4712)).isEmpty();
    }

    @Test
    void whatIsNoSuchLineIsSaid() {
        assertThatThrownBy(() -> ProcessStat.parse("4711 java S 1"))
                .hasMessage("This is no line of /proc/PID/stat: 4711 java S 1");
    }

    @Test
    void aForeignProcessWithTheNumberLivesOn() throws Exception {
        Process foreign = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessTable processes = new ProcessTable(Path.of("/proc"));
            ProcessId id = processes.identify(foreign.pid()).orElseThrow();
            ProcessId former = new ProcessId(id.pid(), id.startTicks() - 1, id.bootId());

            processes.send(Signal.KILL, former);
            processes.killAll(List.of(former), Duration.ofSeconds(5));
            assertThat(processes.processState(id)).isEqualTo(ProcessState.RUNNING);

            processes.killAll(List.of(id), Duration.ofSeconds(5));
            assertThat(processes.processState(id)).isEqualTo(ProcessState.ENDED);
        } finally {
            foreign.destroyForcibly();
        }
    }
}
