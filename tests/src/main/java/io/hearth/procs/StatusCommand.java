package io.hearth.procs;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import io.hearth.command.Commands;
import io.hearth.procs.MemberHealth.Condition;
import io.hearth.procs.system.ProcessId;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth cluster status}. */
@Command(name = "status", description = "Says how each process of the cluster is.", usageHelpAutoWidth = true)
final class StatusCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<MemberHealth> members =
                ProcessCluster.look(folder.folder()).orElseThrow(() -> Commands.problem(spec, folder.none()));
        long serving = members.stream()
                .filter(health -> health.condition() == Condition.SERVES)
                .count();
        PrintWriter out = spec.commandLine().getOut();
        out.println(table(members));
        out.println(serving + " of " + members.size() + " processes serve.");
        out.flush();
        return serving == members.size() ? Commands.HOLDS : Commands.BROKEN;
    }

    private static String table(List<MemberHealth> members) {
        return AsciiTable.builder()
                .border(AsciiTable.NO_BORDERS)
                .data(
                        members,
                        List.of(
                                left("process").with(health -> health.member().name()),
                                left("host")
                                        .with(health -> health.member().host().name()),
                                left("address")
                                        .with(health -> health.member().host().address()),
                                left("rack")
                                        .with(health -> health.member().host().rack()),
                                left("pid").with(health -> health.process()
                                        .map(ProcessId::pid)
                                        .map(String::valueOf)
                                        .orElse("-")),
                                left("is").with(health -> (health.condition()
                                                        .name()
                                                        .toLowerCase(Locale.ROOT) + " " + health.detail())
                                        .strip())))
                .asString();
    }

    private static Column left(String header) {
        return new Column().header(header).headerAlign(HorizontalAlign.LEFT).dataAlign(HorizontalAlign.LEFT);
    }
}
