// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.chaos.ChaosRun.FaultResult;
import io.hearth.chaos.SoakJournal.Begin;
import io.hearth.chaos.SoakJournal.Step;
import io.hearth.chaos.SoakResult.Resource;
import io.hearth.cli.ExitCode;
import io.hearth.cli.view.Table;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.process.FolderOption;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth chaos soak}: hours of load and faults, and whether anything is lost or grows meanwhile. */
@Command(
        name = "soak",
        description = {
            "Hours of load and faults on the cluster that bin/hearth cluster start made.",
            "Clients write and read back at 60 %% of what it answers, every few minutes",
            "one of the faults of bin/hearth chaos comes, regions move and blocks follow.",
            "No row may be lost or wrong. In the last quarter of the time no server may",
            "hold 5 %% more heap after a collection, threads or descriptors than in the",
            "second, where it takes two hours at least. One that was ended goes on where",
            "its journal ends."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything was as it must be",
            "1:it was not; the output says what",
            "2:a wrong argument, or there is no cluster, or the journal is of another"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  bin/hearth chaos soak", "  bin/hearth chaos soak --hours 1 --journal soak.jsonl"})
final class SoakCommand implements Callable<Integer> {

    private static final double LOAD = 0.6;
    private static final int CALIBRATION_SECONDS = 20;
    private static final double SECONDS_OF_AN_HOUR = 3_600;
    private static final long CONVERGENCE_SECONDS = 600;
    private static final String CONVERGED = "converged";

    @Spec
    private CommandSpec spec;

    @Option(names = "--hours", paramLabel = "H", description = "how long, 0.2 to 168 (default 4)")
    private double hours = 4;

    @Option(
            names = "--every-minutes",
            paramLabel = "M",
            description = "a fault so often, or as soon as the last one is overcome, 1 to 60 (default 5)")
    private int everyMinutes = 5;

    @Option(names = "--seed", paramLabel = "S", description = "draws the faults and the rows (default 1)")
    private long seed = 1;

    @Option(names = "--rate", paramLabel = "N", description = "requests a second (default 0.6 of what is answered)")
    private Optional<Double> rate = Optional.empty();

    @Option(
            names = "--journal",
            paramLabel = "FILE",
            description = "what was done so far (default: soak-CLUSTER.jsonl in the current folder)")
    private Optional<Path> file = Optional.empty();

    @Mixin
    private OutputOption output;

    @Mixin
    private FolderOption folder;

    @Override
    public Integer call() throws Exception {
        requireInRange("--hours", hours, 0.2, 168);
        requireInRange("--every-minutes", everyMinutes, 1, 60);
        if (rate.isPresent()) {
            requireInRange("--rate", rate.get(), 1, 100_000);
        }
        try (ProcessCluster cluster = folder.openForClients(spec);
                FileSystem fileSystem = FileSystem.newInstance(cluster.clientConfiguration());
                SoakLoad load = SoakLoad.open(ChaosRun.clientConfiguration(cluster), seed)) {
            SoakJournal journal = journal(cluster, load);
            try (SoakCheckpoint.Writer checkpoints = checkpoints(journal, load)) {
                Steps steps = new Steps(journal, load, checkpoints, new ResourceSampler(cluster, fileSystem));
                run(cluster, load, journal, steps);
            }
            return report(journal);
        }
    }

    private void requireInRange(String name, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw Commands.problem(
                    spec, String.format(Locale.ROOT, "%s is %s; allowed are %s to %s", name, value, least, most));
        }
    }

    private SoakJournal journal(ProcessCluster cluster, SoakLoad load) throws IOException, InterruptedException {
        String id = cluster.layout().id();
        Path path = file.orElse(Path.of("soak-" + id + ".jsonl"));
        if (Files.exists(path)) {
            SoakJournal journal = SoakJournal.read(path);
            if (!journal.begun().cluster().equals(id) || journal.begun().seed() != seed) {
                throw Commands.problem(
                        spec,
                        path + " is of cluster " + journal.begun().cluster() + " and seed "
                                + journal.begun().seed() + ", and this is cluster " + id + " and seed " + seed
                                + "; name another --journal");
            }
            SoakCheckpoint checkpoint = SoakCheckpoint.read(SoakCheckpoint.fileOf(path), id);
            load.begin(checkpoint.acknowledged(), checkpoint.load().beyond(journal.load()));
            output.say(String.format(
                    Locale.ROOT,
                    "%d faults in %.1f hours are done; it goes on.",
                    journal.steps().size(),
                    journal.seconds() / SECONDS_OF_AN_HOUR));
            return journal;
        }
        output.say("its journal: " + path);
        load.begin(SoakRows.NONE_ACKNOWLEDGED, SoakLoad.Totals.NONE);
        double perSecond = rate.isPresent() ? rate.get() : LOAD * load.calibrate(CALIBRATION_SECONDS);
        new SoakCheckpoint(id, load.totals(), load.acknowledged()).write(SoakCheckpoint.fileOf(path));
        return SoakJournal.begin(path, new Begin(id, seed, perSecond));
    }

    private static SoakCheckpoint.Writer checkpoints(SoakJournal journal, SoakLoad load) {
        SoakLoad.Totals before = journal.load();
        return SoakCheckpoint.Writer.start(
                SoakCheckpoint.fileOf(journal.file()),
                () -> new SoakCheckpoint(journal.begun().cluster(), before.plus(load.totals()), load.acknowledged()));
    }

    private void run(ProcessCluster cluster, SoakLoad load, SoakJournal journal, Steps steps) throws Exception {
        List<Fault> faults = Arrays.stream(Fault.values())
                .filter(fault -> fault != Fault.NONE
                        && fault.lackingIn(cluster.layout().clusterSpec()).isEmpty())
                .toList();
        output.say(String.format(
                Locale.ROOT,
                "%.0f requests a second for %.1f hours, %d kinds of faults",
                journal.begun().requestsPerSecond(),
                hours,
                faults.size()));
        load.start(journal.begun().requestsPerSecond());
        while (journal.seconds() < hours * SECONDS_OF_AN_HOUR) {
            int number = journal.steps().size();
            long dueNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(everyMinutes);
            Fault fault = drawn(faults, number);
            FaultResult result = once(cluster, fault, seed + number, load);
            TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
            steps.ended(fault.toString(), seed + number, result.violations());
        }
        FaultResult last = once(cluster, Fault.NONE, seed, load);
        load.stop();
        load.verifyAll();
        List<String> violations = new ArrayList<>(last.violations());
        if (last.secondsToConverge() > CONVERGENCE_SECONDS) {
            violations.add("it took " + last.secondsToConverge() + " s until everything was local and whole, not "
                    + CONVERGENCE_SECONDS);
        }
        steps.ended(CONVERGED, seed, violations);
    }

    private FaultResult once(ProcessCluster cluster, Fault fault, long seed, SoakLoad load)
            throws InterruptedException {
        return ChaosRun.once(cluster, fault, seed, said -> output.say("   " + said), load::setFaultUnderWay);
    }

    /** All faults in one order, then all in another: each of them comes as often as the others. */
    private Fault drawn(List<Fault> faults, int number) {
        List<Fault> shuffled = new ArrayList<>(faults);
        Collections.shuffle(shuffled, new Random(seed * 1_000_003 + number / faults.size()));
        return shuffled.get(number % faults.size());
    }

    /** Takes what each step came to, with what the load did since the one before. */
    private final class Steps {

        private final SoakJournal journal;
        private final SoakLoad load;
        private final SoakCheckpoint.Writer checkpoints;
        private final ResourceSampler sampler;
        private final double before;
        private final long startNanos = System.nanoTime();
        private SoakLoad.Totals counted = SoakLoad.Totals.NONE;

        Steps(SoakJournal journal, SoakLoad load, SoakCheckpoint.Writer checkpoints, ResourceSampler sampler) {
            this.journal = journal;
            this.load = load;
            this.checkpoints = checkpoints;
            this.sampler = sampler;
            before = journal.seconds();
        }

        void ended(String fault, long faultSeed, List<String> violations) throws IOException, InterruptedException {
            SoakLoad.Totals now = load.totals();
            Step step = new Step(
                    before + (System.nanoTime() - startNanos) / 1e9,
                    fault,
                    faultSeed,
                    violations,
                    now.minus(counted),
                    sampler.sample());
            counted = now;
            journal.add(step);
            checkpoints.write();
            output.say(String.format(
                    Locale.ROOT,
                    "%.2f h  %-24s  %,d requests, %d lost, %d wrong, %d failed, %d not sent%s",
                    step.atSeconds() / SECONDS_OF_AN_HOUR,
                    fault,
                    step.load().requests(),
                    step.load().lost(),
                    step.load().wrong(),
                    step.load().errors(),
                    step.load().unsent(),
                    violations.isEmpty() ? "" : "  BROKEN"));
            violations.forEach(violation -> output.say("   BROKEN  " + violation));
            if (step.load().errors() > 0) {
                output.say("   the first failure: "
                        + load.firstError().map(Commands::firstLine).orElse("before an interruption"));
            }
        }
    }

    private int report(SoakJournal journal) {
        SoakResult result = SoakResult.of(journal.steps());
        output.say("");
        output.print(
                Table.of(
                        result.resources(),
                        List.of(
                                Table.left("resource", Resource::name),
                                Table.right("secondQuarter", "second quarter", resource -> whole(resource.early())),
                                Table.right("lastQuarter", "last quarter", resource -> whole(resource.late())),
                                Table.<Resource>right(
                                                "growth",
                                                "growth",
                                                resource ->
                                                        String.format(Locale.ROOT, "%.1f %%", 100 * resource.growth()))
                                        .inCsv(resource -> Double.toString(resource.growth())),
                                Table.<Resource>left(
                                                "holds", "", resource -> holds(resource, result.areResourcesJudged()))
                                        .inCsv(resource -> Boolean.toString(resource.isFlat())))),
                result);
        result.violations().forEach(violation -> output.say("BROKEN  " + violation));
        output.say(String.format(
                Locale.ROOT,
                "%,d requests, %d faults in %.1f hours. %s",
                result.load().requests(),
                journal.steps().size() - 1,
                journal.seconds() / SECONDS_OF_AN_HOUR,
                result.violations().isEmpty() ? "Everything was as it must be." : "Not everything was as it must be."));
        return result.violations().isEmpty() ? ExitCode.DONE.code() : ExitCode.INCOMPLETE.code();
    }

    private static String holds(Resource resource, boolean isJudged) {
        return resource.isFlat() ? "HOLDS" : isJudged ? "BROKEN" : "not judged before two hours";
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }
}
