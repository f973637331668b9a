// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.LocalUi;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth ui}: the page of a cluster that has none in its master, for a browser on this machine. */
@Command(
        name = "ui",
        description = {
            "Serves Hearth's page of a cluster that has none in its master, for this",
            "machine only and until it is stopped. It shows what can be seen from outside,",
            "and changes nothing.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "2:a wrong argument, or the port is taken",
            "4:HBase can't be asked",
            "5:a login is missing",
            "130:stopped by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth ui --port 8090")
final class UiCommand implements Callable<Integer> {

    private static final int MAX_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8090",
            description = "the port, 0 for any that is free (default: 8090)")
    private int port;

    @Mixin
    private ClusterOptions cluster;

    UiCommand() {}

    @Override
    public Integer call() throws IOException {
        if (port < 0 || port > MAX_PORT) {
            throw cluster.problem("--port is " + port + "; allowed are 0 to " + MAX_PORT);
        }
        try (LocalUi page = LocalUi.open(cluster.site(), port)) {
            spec.commandLine().getOut().println(page.url() + "  (Ctrl-C ends it)");
            spec.commandLine().getOut().flush();
            page.serve();
        } catch (java.net.BindException taken) {
            throw cluster.problem("--port is " + port + ", which can't be had: " + taken.getMessage());
        }
        return ExitCode.DONE.code();
    }
}
