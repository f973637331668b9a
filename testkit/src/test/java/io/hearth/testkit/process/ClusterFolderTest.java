// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hearth.testkit.process.ClusterFolder.ProcessClusterState;
import io.hearth.testkit.process.ClusterFolder.ProcessClusterState.Stage;
import io.hearth.testkit.process.layout.ClusterLayout;
import io.hearth.testkit.process.layout.ClusterSpec;
import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import io.hearth.testkit.process.system.ProcessTable.ProcessId;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterFolderTest {

    private static final ProcessClusterState STATE = new ProcessClusterState(
            Stage.STARTING,
            new ClusterLayout(
                    new ClusterSpec(2, 1, 1, NetworkMode.NAMESPACES, 0.5, 100, true, Map.of("a.key", "a value")),
                    "07af",
                    9),
            Map.of("namenode", new ProcessId(4711, 90_000, "boot-1")));

    @TempDir
    private Path temp;

    @Test
    void whatIsWrittenIsReadByTheNextHarness() throws Exception {
        ClusterFolder folder = new ClusterFolder(temp.resolve("cluster"));
        folder.create();
        folder.write(
                STATE.with("zookeeper", new ProcessId(4712, 90_001, "boot-1")).at(Stage.STARTED));

        assertThat(new ClusterFolder(temp.resolve("cluster")).state())
                .contains(new ProcessClusterState(
                        Stage.STARTED,
                        STATE.layout(),
                        Map.of(
                                "namenode", new ProcessId(4711, 90_000, "boot-1"),
                                "zookeeper", new ProcessId(4712, 90_001, "boot-1"))));
    }

    @Test
    void aFolderWithSomethingElseIsNotTaken() throws Exception {
        Files.writeString(temp.resolve("thesis.tex"), "years of work");

        assertThatThrownBy(() -> new ClusterFolder(temp).create())
                .hasMessage(temp + " holds thesis.tex, which is no cluster's; name an empty folder or a new one with"
                        + " --folder");
    }

    /** The folder of a project whose own entries are called as a cluster's are. */
    @Test
    void aFolderWithEntriesOfTheSameNamesIsNotTakenAndNotDeleted() throws Exception {
        Path config =
                Files.writeString(Files.createDirectory(temp.resolve("conf")).resolve("app.yaml"), "mine");
        Path rows =
                Files.writeString(Files.createDirectory(temp.resolve("data")).resolve("rows.csv"), "years of work");
        Files.createDirectory(temp.resolve("lib"));
        Files.writeString(temp.resolve("state.json"), "{\"stage\": \"STARTED\"}");
        ClusterFolder folder = new ClusterFolder(temp);

        assertThatThrownBy(folder::create)
                .hasMessage(temp + " holds conf, which is no cluster's; name an empty folder or a new one with"
                        + " --folder");
        assertThat(folder.state()).as("what stop would end and delete").isEmpty();
        assertThatThrownBy(folder::delete)
                .hasMessage(temp + " was not made by bin/hearth cluster start; nothing in it is deleted");
        assertThat(config).hasContent("mine");
        assertThat(rows).hasContent("years of work");
    }

    /** A start that failed leaves its logs, and the next one may have the folder. */
    @Test
    void aFolderThatAClusterLeftLogsInIsTakenAgain() throws Exception {
        ClusterFolder folder = new ClusterFolder(temp.resolve("cluster"));
        folder.create();
        Files.createDirectories(folder.logs());

        new ClusterFolder(folder.path()).create();

        assertThat(folder.logs()).exists();
    }

    @Test
    void aFolderOfSomebodyElseIsNotBelieved() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("only root can give a folder away")
                .isEqualTo("root");
        ClusterFolder folder = new ClusterFolder(temp);
        folder.create();
        folder.write(STATE);
        Files.setOwner(
                temp, temp.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

        String problem = temp + " belongs to nobody; name another folder with --folder";
        assertThatThrownBy(folder::state).hasMessage(problem);
        assertThatThrownBy(folder::create).hasMessage(problem);
    }

    @Test
    void whatSomebodyPutThereOutlivesTheCluster() throws Exception {
        ClusterFolder folder = new ClusterFolder(temp.resolve("cluster"));
        folder.create();
        folder.write(STATE);
        Files.createDirectories(folder.logs());
        Path notes = Files.writeString(folder.path().resolve("notes.txt"), "what I saw");

        folder.delete();

        assertThat(folder.path()).isDirectoryContaining(notes::equals);
        assertThat(folder.logs()).doesNotExist();
        assertThat(folder.state()).isEmpty();
    }

    @Test
    void theFolderGoesWithTheCluster() throws Exception {
        ClusterFolder folder = new ClusterFolder(temp.resolve("cluster"));
        folder.create();
        folder.write(STATE);
        try (Closeable lock = folder.lock()) {
            assertThat(lock).isNotNull();
            folder.delete();
        }

        assertThat(folder.path()).doesNotExist();
    }

    @Test
    void oneAtATimeIsAtWorkOnACluster() throws Exception {
        ClusterFolder folder = new ClusterFolder(temp);
        try (Closeable lock = folder.lock()) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(folder::lock)
                    .hasMessage("another bin/hearth is at work on the cluster in " + temp + "; wait for it to end");
        }
        folder.lock().close();
    }

    @Test
    void aStateThatCannotBeReadIsNotTakenForNone() throws Exception {
        ClusterFolder folder = new ClusterFolder(temp);
        folder.create();
        Files.writeString(temp.resolve("state.json"), "{");

        assertThatThrownBy(folder::state)
                .hasMessageContaining(temp.resolve("state.json") + " can't be read")
                .hasMessageContaining("it tells what has to be stopped");
    }
}
