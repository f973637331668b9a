// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.HealCompletionCheck.HealResult;
import io.hearth.cli.client.ClusterClient;
import io.hearth.cli.heal.ClientRuntime;
import io.hearth.cli.heal.HealScope;
import io.hearth.cli.view.HealEstimateText;
import io.hearth.common.config.HumanFormat;
import io.hearth.healer.config.HealLimitSettings.HealLimitConfig;
import io.hearth.healer.core.BandwidthRaise.RaisedBandwidth;
import io.hearth.healer.core.BandwidthRaise.Refusal;
import io.hearth.healer.estimate.HealEstimate;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.model.BlockMove;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth healer run}: heals once, until a target is reached. */
@Command(
        name = "run",
        description = {
            "Heals now, until the locality is as asked for.",
            "A replica of each block that is not local to its region's server is moved there. Where",
            "a healer is at work in the master it is asked, and followed by what the servers report;",
            "elsewhere, and with --local, --dry-run, --bandwidth, --raise-datanode-bandwidth or",
            "--verify-all, this process does it, and goes by what the NameNode says.",
            ""
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the target is reached; in a dry run, all is told",
            "1:something is left that can't be done now; the last line says what",
            "2:a wrong argument, or nothing is there that it names",
            "3:another healer works on this cluster",
            "4:HBase or HDFS can't be asked",
            "5:a login, a privilege or HBase's ADMIN permission is missing",
            "130:stopped by Ctrl-C"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth healer run --dry-run",
            "  bin/hearth healer run --dry-run --verify-all",
            "  bin/hearth healer run --table usertable --bandwidth 50MB",
            "  bin/hearth healer run --raise-datanode-bandwidth 1GB",
            "  bin/hearth healer run --server host7 --target-locality 0.98"
        })
final class HealerRunCommand implements Callable<Integer> {

    private static final long AFTER_OTHER_HOOKS_MS = 5_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--table", paramLabel = "NAME", description = "only this table's regions")
    private @Nullable String table;

    @Option(names = "--region", paramLabel = "REGION", description = "only this region: its encoded name or its name")
    private @Nullable String region;

    @Option(
            names = "--server",
            paramLabel = "HOST",
            description = "only regions on this host or host,port, as HBase calls it")
    private @Nullable String server;

    @Option(names = "--local", description = "by this process, also where a healer is at work in the master")
    private boolean local;

    @Option(names = "--dry-run", description = "say what would be moved, and move nothing")
    private boolean dryRun;

    @Option(
            names = "--verify-all",
            description = "check every region, also where its server reports all as local, which of a file that nobody"
                    + " reads it does long after the replica has gone")
    private boolean verifyAll;

    @Option(
            names = "--bandwidth",
            paramLabel = "BYTES",
            description =
                    "most bytes to start in a second, like 50MB; 0 for no limit (default: hearth.heal.cluster.bandwidth)")
    private @Nullable String bandwidth;

    @Option(
            names = "--raise-datanode-bandwidth",
            paramLabel = "BYTES",
            description =
                    "until the heal is over every DataNode allows block moves so many bytes per second, like 1GB, which an"
                            + " HDFS superuser may set; what they allowed before is put back")
    private @Nullable String raise;

    @Option(
            names = "--target-locality",
            paramLabel = "SHARE",
            defaultValue = "1",
            description = "the locality that is enough, 0 to 1 (default: 1)")
    private double targetLocality;

    /** As JSON there is one document at the end, and progress on standard error. */
    @Mixin
    private OutputOptions output;

    @Mixin
    private ClusterOptions cluster;

    HealerRunCommand() {}

    @Override
    public Integer call() throws IOException {
        HealOptions options;
        HealScope scope;
        try {
            options = options();
            scope = scope();
        } catch (ParameterException wrong) {
            if (output.isJson()) {
                HealJsonReport.refused(spec.commandLine().getOut(), String.valueOf(wrong.getMessage()));
            }
            throw wrong;
        }
        HealProgress progress = new HealProgress(targetLocality, verifyAll);
        if (!output.isJson()) {
            HealResult result =
                    heal(options, scope, progress, spec.commandLine().getOut());
            say(result);
            return result.code().code();
        }
        HealJsonReport document = new HealJsonReport(spec.commandLine().getOut(), progress, options, ClientHeal::nowMs);
        try (SignalHook hook = new SignalHook(document::interrupted, SignalHook.AFTER_OTHER_HOOKS)) {
            hook.set(AFTER_OTHER_HOOKS_MS);
            HealResult result =
                    heal(options, scope, progress, spec.commandLine().getErr());
            hook.awaitExitIfSignalled();
            document.ended(result);
            return result.code().code();
        } catch (IOException | RuntimeException failure) {
            document.ended(new HealResult(Main.code(failure), Main.problem(failure)));
            throw failure;
        }
    }

    /** @param lines where how it stands is told, line by line */
    private HealResult heal(HealOptions options, HealScope scope, HealProgress progress, PrintWriter lines)
            throws IOException {
        ProgressPrinter printer = new ProgressPrinter(lines, style(), targetLocality);
        Configuration site = cluster.site();
        boolean isHere = options.verifyAll() || local || dryRun || bandwidth != null || raise != null;
        try (ClientRuntime host = ClientRuntime.connect(site, "healer-run", scope, progress::observed, isHere)) {
            if (!host.tableExists()) {
                throw problem("there is no table " + table);
            }
            Optional<String> unknown = host.unknownServer();
            if (unknown.isPresent()) {
                throw problem(unknown.get());
            }
            if (!isHere) {
                Optional<HealResult> byMaster = byMaster(site, host, scope, progress, printer);
                if (byMaster.isPresent()) {
                    return HealCompletionCheck.asFarAsSeen(byMaster.get(), host.unseenRegions());
                }
                host.checkRootDir();
            }
            printer.say((dryRun ? "Planning to heal " : "Healing ") + scope + " as " + host.userName() + ".");
            boolean isMasters = !local && bandwidth == null && raise == null;
            HealResult result = new ClientHeal(
                            host, options, progress, printer, () -> isMasters ? startShareOfMaster(site) : 0)
                    .run();
            return HealCompletionCheck.asFarAsSeen(result, host.unseenRegions());
        }
    }

    /** Without a healer there, or without an answer, a heal begins as after a rest. */
    private static double startShareOfMaster(Configuration site) {
        try (ClusterClient client = ClusterClient.open(site)) {
            return client.statusFromMaster().map(MasterHeal::startShare).orElse(0.0);
        } catch (IOException noAnswer) {
            return 0;
        }
    }

    /** What came of it; empty where no healer is at work in the master. */
    private Optional<HealResult> byMaster(
            Configuration site, ClientRuntime host, HealScope scope, HealProgress progress, ProgressPrinter printer)
            throws IOException {
        try (ClusterClient client = ClusterClient.open(site)) {
            Optional<JsonObject> master = client.statusFromMaster().filter(MasterHeal::isAtWork);
            if (master.isEmpty()) {
                return Optional.empty();
            }
            printer.say("Asking the healer in the master to heal " + scope + ".");
            return Optional.of(new MasterHeal(client, host, progress, printer, targetLocality).run());
        }
    }

    private void say(HealResult result) {
        if (result.code() == ExitCode.DONE) {
            spec.commandLine().getOut().println("Done: " + result.line());
        } else {
            spec.commandLine().getErr().println("hearth healer run: " + result.line());
        }
    }

    private HealOptions options() {
        if (!(targetLocality >= 0 && targetLocality <= 1)) {
            throw problem("--target-locality is " + targetLocality + "; allowed are numbers from 0 to 1");
        }
        Optional<Long> bytes = Optional.ofNullable(bandwidth).flatMap(HumanFormat::parse);
        if (bandwidth != null && bytes.isEmpty()) {
            throw problem("--bandwidth is " + bandwidth + "; allowed are bytes per second like 50MB, 1.5GB or 0");
        }
        Optional<Long> raiseTo =
                Optional.ofNullable(raise).flatMap(HumanFormat::parse).filter(most -> most > 0);
        if (raise != null && raiseTo.isEmpty()) {
            throw problem(
                    "--raise-datanode-bandwidth is " + raise + "; allowed are bytes per second like 500MB or 1GB");
        }
        return new HealOptions(
                bytes,
                targetLocality,
                dryRun,
                verifyAll,
                raiseTo.map(OptionalLong::of).orElse(OptionalLong.empty()));
    }

    private HealScope scope() {
        try {
            return new HealScope(
                    Optional.ofNullable(table).map(TableName::valueOf),
                    Optional.ofNullable(region),
                    Optional.ofNullable(server));
        } catch (IllegalArgumentException noName) {
            throw problem("--table is " + table + ", which can't be a table's name: " + noName.getMessage());
        }
    }

    private ProgressPrinter.Style style() {
        if (dryRun) {
            return ProgressPrinter.Style.DRY_RUN;
        }
        return !output.isJson() && Boolean.getBoolean("hearth.terminal")
                ? ProgressPrinter.Style.TERMINAL
                : ProgressPrinter.Style.PLAIN;
    }

    private ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** One heal from its start to its end, on the thread of the command. */
    private static final class ClientHeal {

        private static final long PAUSE_NANOS = 100_000_000;

        /** The slow start of DataNodes is over then. */
        private static final long HELD_BACK_MS = 15_000;

        private final ClientRuntime host;
        private final HealOptions options;
        private final HealProgress progress;
        private final ProgressPrinter printer;
        private final HealCompletionCheck check;
        private final DoubleSupplier startShare;
        private OptionalLong heldBackSinceMs = OptionalLong.empty();
        private boolean isToldOfDataNodes;

        /** @param startShare at which share of DataNodes' limits the healer starts that a dry run speaks of */
        ClientHeal(
                ClientRuntime host,
                HealOptions options,
                HealProgress progress,
                ProgressPrinter printer,
                DoubleSupplier startShare) {
            this.host = host;
            this.startShare = startShare;
            this.options = options;
            this.progress = progress;
            this.printer = printer;
            this.check = new HealCompletionCheck(options);
        }

        /** Returns when it is over; where a signal ends the process, that has the last word and this does not return. */
        HealResult run() {
            OptionalLong raiseTo = options.dryRun() ? OptionalLong.empty() : options.raiseTo();
            try (HealingEngineRunner healing =
                    new HealingEngineRunner(host, options, progress, raiseTo, printer::say)) {
                Optional<HealResult> useless = uselessRaise(healing.limits());
                if (useless.isPresent()) {
                    return useless.get();
                }
                healing.start();
                while (true) {
                    Optional<HealResult> result = turn(healing);
                    if (result.isPresent() && !healing.isSignalled()) {
                        printer.end(progress.stats(), nowMs());
                        if (options.dryRun()) {
                            estimate(healing);
                        }
                        return result.get();
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }

        private Optional<HealResult> uselessRaise(HealLimitConfig limits) {
            long most = limits.dataNodeBytesPerSecond();
            return most > 0 && options.raiseTo().orElse(0) > most
                    ? Optional.of(new HealResult(
                            ExitCode.USAGE,
                            "hearth.heal.datanode.bandwidth is " + HumanFormat.bytes(most)
                                    + "/s, and healing takes no more of a DataNode: raise it or take it out first"))
                    : Optional.empty();
        }

        private static HealResult refused(Refusal refusal) {
            ExitCode code =
                    switch (refusal.reason()) {
                        case ARGUMENT -> ExitCode.USAGE;
                        case NOT_PERMITTED -> ExitCode.NOT_PERMITTED;
                        case UNREACHABLE -> ExitCode.UNREACHABLE;
                    };
            return new HealResult(code, "--raise-datanode-bandwidth: " + refusal.line());
        }

        /** Once that they are raised; or, where they are not and hold the heal back for long, once how they can be. */
        private void sayWhatIsRaised(HealingEngineRunner healing) {
            Optional<RaisedBandwidth> raised = healing.raised();
            boolean isHeldBack = healing.limit() == HealLimit.DATANODE_BANDWIDTH && !options.dryRun();
            heldBackSinceMs = isHeldBack ? OptionalLong.of(heldBackSinceMs.orElse(nowMs())) : OptionalLong.empty();
            if (isToldOfDataNodes) {
                return;
            }
            if (raised.isPresent()) {
                isToldOfDataNodes = true;
                printer.say("DataNodes are raised from "
                        + HumanFormat.bytes(raised.get().beforeBytesPerSecond()) + "/s to "
                        + HumanFormat.bytes(raised.get().bytesPerSecond()) + "/s until this heal is over.");
            } else if (options.raiseTo().isEmpty()
                    && isHeldBack
                    && nowMs() - heldBackSinceMs.getAsLong() >= HELD_BACK_MS) {
                isToldOfDataNodes = true;
                HealEstimateText.dataNodeAdvice(HealLimit.DATANODE_BANDWIDTH, healing.limits())
                        .ifPresent(printer::say);
            }
        }

        private void estimate(HealingEngineRunner healing) {
            List<BlockMove> moves = progress.advisedMoves();
            if (!moves.isEmpty()) {
                HealEstimate estimate =
                        healing.estimate(moves, progress.listedRegions(), options.raiseTo(), startShare.getAsDouble());
                progress.estimated(estimate);
                HealEstimateText.lines(estimate, healing.limits(), ZonedDateTime.now(ZoneId.systemDefault()))
                        .forEach(printer::say);
            }
        }

        private Optional<HealResult> turn(HealingEngineRunner healing) {
            if (healing.isSignalled()) {
                return Optional.empty();
            }
            Optional<Refusal> refusal = healing.raiseRefusal();
            if (refusal.isPresent()) {
                return refusal.map(ClientHeal::refused);
            }
            if (healing.rests()) {
                return Optional.of(new HealResult(
                        ExitCode.INCOMPLETE, "healing has ended by itself; the log's last line has the reason"));
            }
            sayWhatIsRaised(healing);
            HealStats now = progress.stats();
            if (progress.hasObserved()) {
                printer.show(now, nowMs());
                if (options.verifyAll()) {
                    healing.requestListing(progress.takeUnlisted());
                }
                if (!options.dryRun() && options.isReached(now)) {
                    healing.pauseMoves("the target is reached");
                }
            }
            return healing.alarm()
                    .map(what -> new HealResult(ExitCode.INCOMPLETE, "it has stopped: " + what))
                    .or(() -> check.check(progress, healing.lock(), healing.lockProblem(), nowMs()));
        }

        private static long nowMs() {
            return System.nanoTime() / 1_000_000;
        }
    }
}
