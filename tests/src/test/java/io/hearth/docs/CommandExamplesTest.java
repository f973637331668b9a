// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.BenchCommand;
import io.hearth.chaos.ChaosCommand;
import io.hearth.demo.DemoCommand;
import io.hearth.sim.cli.OfflinePlanCommand;
import io.hearth.sim.cli.SimulateCommand;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.load.LoadCommand;
import io.hearth.testkit.process.ClusterCommand;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of every command on this machine alone has examples, which it understands itself. */
class CommandExamplesTest {

    static Stream<CommandLine> commands() {
        return Stream.of(
                        ClusterCommand.commandLine(),
                        BenchCommand.commandLine(),
                        Commands.onCluster(new LoadCommand()),
                        Commands.onCluster(new ChaosCommand()),
                        Commands.onCluster(new SimulateCommand()),
                        Commands.onCluster(new OfflinePlanCommand()),
                        Commands.onCluster(new DemoCommand()))
                .flatMap(command -> Stream.concat(Stream.of(command), command.getSubcommands().values().stream()));
    }

    @Test
    void theBenchmarksAndTheClusterHaveCommandsOfTheirOwn() {
        assertThat(commands()).hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theHelpHasExamplesThatAreUnderstood(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        assertThat(command.getCommandSpec().usageMessage().footer())
                .as(name)
                .isNotEmpty()
                .allSatisfy(example -> {
                    CommandLine root = command.getParent() == null ? command : command.getParent();
                    String own = "  " + root.getCommandName();
                    assertThat(example + " ").startsWith(own + " ");
                    String arguments = example.substring(own.length()).strip();
                    root.parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" "));
                });
    }
}
