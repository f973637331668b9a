// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.testkit.process.system.SystemCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletedStepsTest {

    @TempDir
    private Path root;

    private final List<String> done = new ArrayList<>();

    @BeforeEach
    void commit() throws Exception {
        git("init", "-q");
        Files.writeString(root.resolve(".gitignore"), "target/\n");
        Files.writeString(root.resolve("source"), "1\n");
        commitAll();
    }

    private void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("git", "-C", root.toString(), "-c", "user.name=test", "-c", "user.email=test@localhost"));
        command.addAll(List.of(arguments));
        SystemCommand.run(command.toArray(String[]::new));
    }

    private void commitAll() throws Exception {
        git("add", "-A");
        git("commit", "-q", "-m", "a commit");
    }

    private void step(String name) throws Exception {
        CompletedSteps.ofCommitIn(root).once(name, () -> done.add(name));
    }

    @Test
    void whatHasEndedWellIsNotDoneAgain() throws Exception {
        step("a");
        step("a");
        step("b");

        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void whatFailedIsDoneAgain() throws Exception {
        CompletedSteps.Step broken = () -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> CompletedSteps.ofCommitIn(root).once("a", broken))
                .hasMessage("broken");
        step("a");

        assertThat(done).containsExactly("a");
    }

    @Test
    void anotherCommitHasStepsOfItsOwn() throws Exception {
        step("a");
        Files.writeString(root.resolve("source"), "2\n");
        commitAll();
        step("a");

        assertThat(done).containsExactly("a", "a");
    }

    @Test
    void sourcesThatAreNoCommitsKeepNothing() throws Exception {
        Files.writeString(root.resolve("source"), "2\n");
        step("a");
        step("a");
        git("checkout", "-q", "source");
        step("a");

        assertThat(done).containsExactly("a", "a", "a");
    }
}
