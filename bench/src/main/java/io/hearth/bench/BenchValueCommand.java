// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.value.CheckedResults;
import io.hearth.bench.value.CrashResult;
import io.hearth.bench.value.DrawResult;
import io.hearth.bench.value.LinkResult;
import io.hearth.bench.value.ValuePlot;
import io.hearth.bench.value.ValueRun;
import io.hearth.bench.value.ValueRun.Part;
import io.hearth.bench.value.ValueTable;
import io.hearth.bench.value.ValueThresholdResults;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.load.LoadProfile.KeyDistribution;
import io.hearth.testkit.load.Workload;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench value}: how many requests a second the same servers answer in time with Hearth, and with the stock balancer. */
@Command(
        name = "value",
        description = {
            "How many requests a second the same servers answer in time.",
            "The regions of a table are asked unevenly, on a cluster of processes whose servers have",
            "few handlers: with the stock balancer as it comes and tuned, and with Hearth; beside an",
            "even load. Needs root for network namespaces, and takes about 18 minutes for a draw."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth bench value",
            "  bin/hearth bench value --draws 3 --workload a",
            "  bin/hearth bench value --draw 1"
        })
final class BenchValueCommand implements Callable<Integer> {

    private static final Set<KeyDistribution> OVER_REGIONS =
            Set.of(KeyDistribution.LOGNORMAL_REGIONS, KeyDistribution.ZIPFIAN_REGIONS);
    private static final Set<Workload> GETS_AND_PUTS = Set.of(Workload.A, Workload.B, Workload.C, Workload.W);

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--draws",
            paramLabel = "N",
            description = {
                "how often each region is asked is drawn 21 times: 1 is the draw with the median",
                "unevenness, 3 are the quartiles (default 1)"
            })
    private Optional<Integer> draws = Optional.empty();

    @Option(
            names = "--draw",
            paramLabel = "N",
            description = {
                "only this one of the three of --draws 3, the least uneven first: 1, 2 or 3. Thresholds",
                "then are of this draw alone. Three runs are as good as one of --draws 3: take the",
                "medians of the last table, which has a line for each draw"
            })
    private Optional<Integer> draw = Optional.empty();

    @Option(
            names = "--workload",
            paramLabel = "W",
            description = {
                "YCSB's A, B or C, or W, which is puts alone (default C). Servers answer half as much of",
                "A and W, whose puts take more of the machine's processors"
            })
    private Workload workload = Workload.C;

    @Option(
            names = "--distribution",
            paramLabel = "D",
            description = "lognormal_regions or zipfian_regions (default lognormal_regions)")
    private KeyDistribution distribution = KeyDistribution.LOGNORMAL_REGIONS;

    @Option(
            names = "--part",
            paramLabel = "P",
            description = {
                "EVENNESS, which rate is held where regions are; CRASH, a server of such a cluster is",
                "killed; LOCALITY, a server's data is not on its host and links are slow; any number of",
                "times (default EVENNESS). Each measures an even load too, and its figures say nothing",
                "where the machine is too busy for that"
            })
    private Set<Part> parts = EnumSet.of(Part.EVENNESS);

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "where the plot goes, a PNG file (default target/bench-value.png)")
    private Path out = Path.of(System.getProperty("hearth.root", "."), "target", "bench-value.png");

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkArguments();
        List<Integer> drawsToRun = draws();
        Path folder =
                Path.of(System.getProperty("java.io.tmpdir"), "hearth-bench-value-" + System.getProperty("user.name"));
        // Before any name is looked up: the names of the cluster's hosts are known nowhere else.
        System.setProperty("jdk.net.hosts.file", folder.resolve("conf/hosts").toString());
        ProcessCluster.whyNoNamespaces().ifPresent(why -> {
            throw Commands.problem(spec, "bench value needs network namespaces, which can't be had here (" + why + ")");
        });
        ValueThresholdResults thresholds = new ValueThresholdResults();
        if (parts.contains(Part.CRASH)) {
            CheckedResults<CrashResult> crashes = ValueRun.crash(distribution, workload, folder, output::say);
            output.say("");
            output.say(ValueTable.ofCrash(crashes.results()));
            output.say("");
            thresholds.crash(crashes);
        }
        if (parts.contains(Part.LOCALITY)) {
            CheckedResults<LinkResult> links = ValueRun.locality(folder, output::say);
            output.say("");
            output.say(ValueTable.ofLocality(links.results()));
            output.say("");
            thresholds.locality(links);
        }
        if (parts.contains(Part.EVENNESS)) {
            List<DrawResult> results = ValueRun.run(distribution, workload, drawsToRun, folder, output::say);
            output.say("");
            output.say(ValueTable.of(results));
            output.say("");
            output.say(ValueTable.ofDraws(results));
            output.say("");
            Files.createDirectories(out.toAbsolutePath().getParent());
            ValuePlot.write(results, out);
            output.say("With a picture: " + out);
            thresholds.evenness(results);
        }
        return thresholds.end(output);
    }

    private void checkArguments() {
        if (Files.isDirectory(out)) {
            throw Commands.problem(spec, "--out is the folder " + out + "; it has to be a file");
        }
        if (!OVER_REGIONS.contains(distribution)) {
            throw Commands.problem(
                    spec,
                    "--distribution is " + distribution
                            + "; allowed are those over regions, lognormal_regions and zipfian_regions");
        }
        if (!GETS_AND_PUTS.contains(workload)) {
            throw Commands.problem(spec, "--workload is " + workload + "; allowed are A, B, C and W");
        }
    }

    /** The draws that are asked for, by number. */
    List<Integer> draws() {
        if (draw.isPresent() && draws.isPresent()) {
            throw Commands.problem(spec, "--draw and --draws are one too many; allowed is either");
        }
        if (draw.isPresent()) {
            if (!ValueRun.DRAWS.contains(draw.get())) {
                throw Commands.problem(spec, "--draw is " + draw.get() + "; allowed are 1, 2 and 3");
            }
            return List.of(draw.get());
        }
        return switch (draws.orElse(1)) {
            case 1 -> List.of(ValueRun.MEDIAN_DRAW);
            case 3 -> ValueRun.DRAWS;
            default -> throw Commands.problem(spec, "--draws is " + draws.orElse(1) + "; allowed are 1 and 3");
        };
    }
}
