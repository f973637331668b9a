// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import io.hearth.testkit.process.system.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The steps of the release checks that have ended well for one commit, each a file with the time: after an interruption they are not
 * done again. {@code mvn clean} forgets them.
 *
 * @param folder where they are; absent if the sources are not those of a commit, and then nothing is kept
 */
record CompletedSteps(Optional<Path> folder) {

    /** What a step does; it throws if it does not end well. */
    @FunctionalInterface
    interface Step {
        void run() throws Exception;
    }

    /** Those of the commit that is checked out in this folder. */
    static CompletedSteps ofCommitIn(Path root) throws IOException, InterruptedException {
        String git = root.toString();
        boolean isClean =
                SystemCommand.run("git", "-C", git, "status", "--porcelain").isBlank();
        String commit = SystemCommand.run("git", "-C", git, "rev-parse", "HEAD").strip();
        if (!isClean) {
            System.out.println("The sources differ from commit " + commit + ": no step is kept, and all are done.");
            return new CompletedSteps(Optional.empty());
        }
        return new CompletedSteps(
                Optional.of(root.resolve("target/release-checks").resolve(commit)));
    }

    /** Runs the step unless it has ended well before; writes down that it has when it does. */
    void once(String name, Step step) throws Exception {
        if (folder.isPresent() && Files.exists(folder.get().resolve(name))) {
            System.out.println(name + ": ended well at "
                    + Files.readString(folder.get().resolve(name)).strip());
            return;
        }
        step.run();
        if (folder.isPresent()) {
            Files.createDirectories(folder.get());
            Files.writeString(folder.get().resolve(name), Instant.now() + "\n");
        }
    }
}
