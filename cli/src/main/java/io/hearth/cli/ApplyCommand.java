// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.client.PlanClient;
import io.hearth.cli.client.PlanExecutor;
import io.hearth.cli.client.PlanFiles;
import io.hearth.cli.plan.SavedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/hearth balancer apply}: carries out a plan that {@code bin/hearth balancer plan --out} has written. */
@Command(
        name = "apply",
        description = {
            "Carries out a plan that bin/hearth balancer plan --out has written.",
            "It is refused once it is 15 minutes old, does not match its hash, is of another",
            "cluster, or one of its servers serves other regions than it did. The moves are HBase's",
            "own. The hash has no key: it guards against accidents, not against intent.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every move is made",
            "1:a move failed; the lines say which and why",
            "2:a wrong argument, or a file that is no plan",
            "4:HBase can't be asked",
            "5:a login or HBase's ADMIN permission is missing",
            "7:the plan is of the past, and nothing was moved",
            "130:stopped by Ctrl-C; the last line says what is made and what has not begun"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth balancer plan --out plan.json", "  bin/hearth balancer apply plan.json"})
final class ApplyCommand implements Callable<Integer> {

    /** How long moves that have begun are waited for when a signal comes. */
    private static final long STOP_MS = 20_000;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "the plan")
    private Path file;

    @Mixin
    private OutputOptions output;

    @Mixin
    private ClusterOptions cluster;

    ApplyCommand() {}

    @Override
    public Integer call() throws IOException {
        boolean isJson = output.isJson();
        PlanFiles.ParsedPlan parsed = read();
        try (ClusterClient client = ClusterClient.open(cluster.site())) {
            PlanExecutor executor = new PlanExecutor(client);
            ApplyReport report = new ApplyReport(
                    spec.commandLine().getOut(),
                    spec.commandLine().getErr(),
                    isJson,
                    parsed.plan().moves().size());
            Optional<String> refusal = new PlanClient(client).refusal(parsed);
            return refusal.isPresent()
                    ? report.refused(file + " is not carried out: " + refusal.get())
                            .code()
                    : execute(executor, parsed.plan(), report).code();
        }
    }

    private static ExitCode execute(PlanExecutor executor, SavedPlan plan, ApplyReport report) throws IOException {
        CountDownLatch over = new CountDownLatch(1);
        try (SignalHook hook = new SignalHook(() -> stop(executor, over, report))) {
            hook.set(2 * STOP_MS);
            try {
                executor.execute(plan, report::ended);
            } finally {
                over.countDown();
            }
            hook.awaitExitIfSignalled();
            return report.end();
        }
    }

    /** What has begun is waited for, so that what became of it can be told. */
    private static void stop(PlanExecutor executor, CountDownLatch over, ApplyReport report) {
        executor.stop();
        try {
            boolean ended = over.await(STOP_MS, TimeUnit.MILLISECONDS);
            report.stopped(ended ? List.of() : executor.inProgress());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private PlanFiles.ParsedPlan read() throws IOException {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw cluster.problem(file + " is no file that can be read");
        }
        try {
            return PlanFiles.read(file);
        } catch (IllegalArgumentException noPlan) {
            throw cluster.problem(file + ": " + noPlan.getMessage());
        }
    }
}
