package io.hearth.procs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hearth.procs.ClusterState.Stage;
import io.hearth.procs.layout.ClusterLayout;
import io.hearth.procs.layout.Shape;
import io.hearth.procs.layout.Wiring;
import io.hearth.procs.system.ProcessId;
import io.hearth.procs.system.Processes;
import io.hearth.procs.system.Processes.Life;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a cluster of which nothing runs. */
class SideProcessTest {

    private static final List<String> WAITS = List.of("sh", "-c", "echo $WORD; exec sleep 600");
    private static final ClusterState STATE = new ClusterState(
            Stage.STARTED,
            new ClusterLayout(new Shape(1, 1, 1, Wiring.LOOPBACK, 0, 0, true, Map.of()), "07af", 9),
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

    private Life life(ProcessId process) throws Exception {
        return new Processes(Path.of("/proc")).life(process);
    }

    private ProcessId known() throws Exception {
        return folder.state().orElseThrow().processByMember().get("tsd");
    }

    @Test
    void whoeverEndsTheClusterEndsItToo() throws Exception {
        MemberProcesses started = new MemberProcesses(folder, STATE);
        SideProcess process = new SideProcess("tsd", folder, started);
        process.start(WAITS, Map.of("WORD", "hello"));

        assertThat(process.runs()).isTrue();
        await().untilAsserted(() -> assertThat(process.output()).hasContent("hello"));
        assertThat(process.folder()).isEqualTo(temp.resolve("data/tsd")).isDirectory();
        ProcessId known = known();

        // Another JVM, after this one was killed.
        new MemberProcesses(folder, folder.state().orElseThrow()).end();

        assertThat(life(known)).isEqualTo(Life.ENDED);
        assertThat(process.runs()).isFalse();
    }

    @Test
    void oneThatWasLeftEndsBeforeTheNextBegins() throws Exception {
        new SideProcess("tsd", folder, new MemberProcesses(folder, STATE)).start(WAITS, Map.of());
        ProcessId left = known();

        MemberProcesses next = new MemberProcesses(folder, folder.state().orElseThrow());
        SideProcess process = new SideProcess("tsd", folder, next);
        process.start(WAITS, Map.of());

        assertThat(life(left)).isEqualTo(Life.ENDED);
        assertThat(process.runs()).isTrue();
        process.close();
        assertThat(process.runs()).isFalse();
        assertThat(life(known())).isEqualTo(Life.ENDED);
        next.end();
        assertThatThrownBy(() -> process.start(WAITS, Map.of())).hasMessage("the cluster is being stopped");
    }
}
