// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

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
import picocli.CommandLine.Model.CommandSpec;

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

    /** A group shows the first line of the description of each of its commands. */
    @ParameterizedTest
    @MethodSource("commands")
    void whatAGroupShowsOfACommandIsAWholeSentence(CommandLine command) {
        if (command.getParent() != null) {
            assertThat(command.getCommandSpec().usageMessage().description()[0])
                    .as(command.getCommandSpec().qualifiedName())
                    .endsWith(".")
                    .hasSizeLessThan(80);
        }
    }

    /** picocli formats texts, and complains on standard error of a % that stands alone. */
    @ParameterizedTest
    @MethodSource("commands")
    void noTextHasAPercentSignThatStandsAlone(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        Stream<String> texts = Stream.concat(
                Stream.of(spec.usageMessage().description()),
                spec.args().stream().flatMap(option -> Stream.of(option.description())));

        assertThat(texts).allSatisfy(text -> assertThatCode(() -> String.format(text))
                .as(spec.qualifiedName())
                .doesNotThrowAnyException());
    }
}
