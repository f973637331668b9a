package io.hearth.procs;

import io.hearth.command.Commands;
import io.hearth.procs.layout.Member;
import io.hearth.procs.layout.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster restart}. */
@Command(
        name = "restart",
        description = {
            "Ends the processes of a kind as by kill -9 and starts them again, one after the other,",
            "with the configuration and the lib folder as they are now."
        },
        usageHelpAutoWidth = true)
final class RestartCommand implements Callable<Integer> {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "ROLE", description = "MASTER, REGIONSERVER, NAMENODE or DATANODE")
    private Role role;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (ProcessCluster cluster = folder.open(spec)) {
            List<Member> members = cluster.layout().members().stream()
                    .filter(member -> member.role() == role)
                    .toList();
            for (Member member : members) {
                cluster.kill(member);
                cluster.repair(LIMIT);
            }
            spec.commandLine()
                    .getOut()
                    .println("Restarted " + members.size() + " of "
                            + role.name().toLowerCase(Locale.ROOT) + "; everything serves.");
        }
        spec.commandLine().getOut().flush();
        return Commands.HOLDS;
    }
}
