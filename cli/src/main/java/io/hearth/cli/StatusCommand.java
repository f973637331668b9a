// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.client.ClusterSummaryReader;
import io.hearth.cli.view.ClusterSummary;
import io.hearth.cli.view.OutputFormat;
import io.hearth.cli.view.StatusText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bin/hearth status}: whether load is even and data local, in a few lines. */
@Command(
        name = "status",
        description = {
            "Says whether load is even and data local, what the last plan was, and what",
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
        footer = {"  bin/hearth status", "  bin/hearth status --config /etc/hbase/conf --output json"})
class StatusCommand implements Callable<Integer> {

    private static final int SECONDS = 6;

    private final View view;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ObserveOptions options;

    @Mixin
    private OutputOptions output;

    StatusCommand() {
        this(View.CLUSTER);
    }

    /** @param view what of it is told */
    StatusCommand(View view) {
        this.view = view;
    }

    /** What of a cluster's status is told. */
    enum View {
        CLUSTER,
        BALANCER,
        HEALER;

        List<String> lines(ClusterSummary cluster, String source) {
            return switch (this) {
                case CLUSTER -> StatusText.of(cluster, source);
                case BALANCER -> StatusText.ofBalancer(cluster, source);
                case HEALER -> StatusText.ofHealer(cluster, source);
            };
        }

        /** The views of the page that this is about. */
        JsonObject json(JsonObject page) {
            List<String> names =
                    switch (this) {
                        case CLUSTER -> List.copyOf(page.keySet());
                        case BALANCER -> List.of("overview", "plans");
                        case HEALER -> List.of("healing");
                    };
            JsonObject part = new JsonObject();
            names.forEach(name -> part.add(name, page.get(name)));
            return part;
        }
    }

    @Override
    public final Integer call() throws IOException {
        int seconds = options.seconds(SECONDS);
        OutputFormat format = view == View.HEALER && !output.isJson() ? OutputFormat.TABLE : output.ofRows();
        PrintWriter out = spec.commandLine().getOut();
        try (ClusterClient client = ClusterClient.open(options.cluster().site())) {
            ClusterClient.Observation observation = client.observe(seconds);
            ClusterSummary cluster = ClusterSummaryReader.read(observation.page());
            switch (format) {
                case JSON -> out.println(view.json(observation.page()));
                case CSV -> StatusText.balance(cluster).csv().forEach(out::println);
                case TABLE ->
                    view.lines(cluster, ObserveOptions.source(observation, cluster.master()))
                            .forEach(out::println);
            }
            out.flush();
            return ExitCode.DONE.code();
        }
    }
}
