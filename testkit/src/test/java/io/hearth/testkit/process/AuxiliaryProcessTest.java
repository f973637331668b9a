// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hearth.testkit.process.ClusterFolder.ProcessClusterState;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState.Stage;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.system.ProcessTable;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import io.hearth.testkit.process.system.ProcessTable.ProcessState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a cluster of which nothing runs. */
class AuxiliaryProcessTest {

    private static final List<String> WAITS = List.of("sh", "-c", "echo $WORD; exec sleep 600");
    private static final ProcessClusterState STATE = new ProcessClusterState(
            Stage.STARTED,
            new ClusterLayout(new ClusterSpec(1, 1, 1, NetworkMode.LOOPBACK, 0, 0, true, Map.of()), "07af", 9),
            Map.of());

    @TempDir
    private Path temp;

    private ClusterFolder folder;

    @BeforeEach
    void folderOfACluster() throws Exception {
        folder = new ClusterFolder(temp);
        folder.create();
        Files.createDirectories(folder.logs());
        folder.write(STATE);
    }

    private ProcessState processState(ProcessId process) throws Exception {
        return new ProcessTable(Path.of("/proc")).processState(process);
    }

    private ProcessId known() throws Exception {
        return folder.state().orElseThrow().processByDaemon().get("tsd");
    }

    @Test
    void whoeverEndsTheClusterEndsItToo() throws Exception {
        DaemonProcesses started = new DaemonProcesses(folder, STATE);
        AuxiliaryProcess process = new AuxiliaryProcess("tsd", folder, started);
        process.start(WAITS, Map.of("WORD", "hello"));

        assertThat(process.runs()).isTrue();
        await().untilAsserted(() -> assertThat(process.output()).hasContent("hello"));
        assertThat(process.folder()).isEqualTo(temp.resolve("data/tsd")).isDirectory();
        ProcessId known = known();

        // Another JVM, after this one was killed.
        new DaemonProcesses(folder, folder.state().orElseThrow()).end();

        assertThat(processState(known)).isEqualTo(ProcessState.ENDED);
        assertThat(process.runs()).isFalse();
    }

    @Test
    void oneThatWasLeftEndsBeforeTheNextBegins() throws Exception {
        new AuxiliaryProcess("tsd", folder, new DaemonProcesses(folder, STATE)).start(WAITS, Map.of());
        ProcessId left = known();

        DaemonProcesses next = new DaemonProcesses(folder, folder.state().orElseThrow());
        AuxiliaryProcess process = new AuxiliaryProcess("tsd", folder, next);
        process.start(WAITS, Map.of());

        assertThat(processState(left)).isEqualTo(ProcessState.ENDED);
        assertThat(process.runs()).isTrue();
        process.close();
        assertThat(process.runs()).isFalse();
        assertThat(processState(known())).isEqualTo(ProcessState.ENDED);
        next.end();
        assertThatThrownBy(() -> process.start(WAITS, Map.of())).hasMessage("the cluster is being stopped");
    }
}
