package io.hearth.cli;

import io.hearth.operate.client.ClusterEye;
import io.hearth.operate.client.ClusterWordReader;
import io.hearth.operate.view.ClusterWord;
import io.hearth.operate.view.StatusText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth status}: whether heat is even and data at home, in a few lines. */
@Command(
        name = "status",
        description = {
            "Says whether heat is even and data at home, what the last plan was, and what",
            "healing does. Asks Hearth in the master, or looks at the cluster for a few",
            "seconds.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is told, good or bad",
            "2:a wrong argument",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth status", "  bin/hearth status --config /etc/hbase/conf --json"})
final class StatusCommand implements Callable<Integer> {

    private static final int SECONDS = 6;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LookOptions options;

    StatusCommand() {}

    @Override
    public Integer call() throws IOException {
        int seconds = options.seconds(SECONDS);
        PrintWriter out = spec.commandLine().getOut();
        try (ClusterEye eye = ClusterEye.open(options.cluster().site())) {
            ClusterEye.Sight sight = eye.look(seconds);
            if (options.json()) {
                out.println(sight.page());
            } else {
                ClusterWord cluster = ClusterWordReader.read(sight.page());
                StatusText.of(cluster, LookOptions.source(sight, cluster.master()))
                        .forEach(out::println);
            }
            out.flush();
            return ExitCode.DONE.code();
        }
    }
}
