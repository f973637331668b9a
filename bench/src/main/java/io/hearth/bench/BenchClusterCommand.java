// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.bench.cluster.ClusterPlot;
import io.hearth.bench.cluster.ClusterResultTable;
import io.hearth.bench.cluster.ClusterThresholds;
import io.hearth.bench.cluster.LinearityResult;
import io.hearth.bench.cluster.LinearityRun;
import io.hearth.bench.cluster.Scale;
import io.hearth.bench.cluster.Scale.BenchmarkStage;
import io.hearth.bench.cluster.VariantResult;
import io.hearth.bench.cluster.VariantRun;
import io.hearth.bench.cluster.VariantRun.Variant;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import io.hearth.testkit.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench cluster}: a cluster of processes under load, with the stock balancer, with compactions, and with Hearth. */
@Command(
        name = "cluster",
        description = {
            "What clients see through a crash, a new host and a hot spot.",
            "They read from a cluster of processes while a RegionServer crashes and comes back, an",
            "empty host is added and a hot spot appears: with the stock balancer, with major",
            "compactions besides, and with Hearth; each on a cluster of its own with the same data and",
            "the same load. Needs root for network namespaces."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = "  bin/hearth bench cluster --quick")
final class BenchClusterCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--hosts", paramLabel = "N", description = "hosts at the start, 4 to 11 (default 4)")
    private int hosts = 4;

    @Option(names = "--seeds", paramLabel = "N", description = "runs with seeds 1 to N (default 1)")
    private int seeds = 1;

    @Option(names = "--variant", paramLabel = "V", description = "only this one: ${COMPLETION-CANDIDATES}")
    private List<Variant> variants = List.of(Variant.values());

    @Option(
            names = "--part",
            paramLabel = "P",
            description = "only this part, any number of times: ${COMPLETION-CANDIDATES}")
    private Set<BenchmarkStage> stages = EnumSet.allOf(BenchmarkStage.class);

    @Option(names = "--quick", description = "a quarter of the data, and shorter times: too few requests to count")
    private boolean quick;

    @Option(names = "--unshaped", description = "without a round trip of 1 ms between racks")
    private boolean unshaped;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = {
                "a line for hdfs-site.xml and hbase-site.xml of every variant, over all others,",
                "any number of times: hearth.heal.cluster.bandwidth=30000000"
            })
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description =
                    "where the plot goes, a PNG file (default target/bench-cluster.png); with several seeds, that of the last")
    private Path out = Path.of(System.getProperty("hearth.root", "."), "target", "bench-cluster.png");

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (hosts < 4 || hosts > 11) {
            throw Commands.problem(spec, "--hosts is " + hosts + "; allowed are 4 to 11");
        }
        if (seeds < 1 || seeds > 100) {
            throw Commands.problem(spec, "--seeds is " + seeds + "; allowed are 1 to 100");
        }
        if (Set.copyOf(variants).equals(Set.of(Variant.NOTHING))
                && !stages.contains(BenchmarkStage.EVENTS)
                && !stages.contains(BenchmarkStage.HOT_SPOT)) {
            throw Commands.problem(
                    spec, "--variant NOTHING has no rounds: they end when data is local, and nothing makes it local");
        }
        Path folder = Path.of(
                System.getProperty("java.io.tmpdir"), "hearth-bench-cluster-" + System.getProperty("user.name"));
        // Before any name is looked up: the names of the cluster's hosts are known nowhere else.
        System.setProperty("jdk.net.hosts.file", folder.resolve("conf/hosts").toString());
        ProcessCluster.whyNoNamespaces().ifPresent(why -> {
            throw Commands.problem(
                    spec, "bench cluster needs network namespaces, which can't be had here (" + why + ")");
        });
        ThresholdReport thresholds = new ThresholdReport();
        if (stages.contains(BenchmarkStage.LINEARITY)) {
            thresholds.addAll(linearity(folder), "", "");
        }
        for (long seed = 1; seed <= seeds; seed++) {
            thresholds.addAll(run(seed, folder), "seed " + seed, "");
        }
        return thresholds.end(output);
    }

    private ThresholdReport linearity(Path folder) throws IOException, InterruptedException {
        output.say("Healing 3, 6 and 12 DataNodes ...");
        LinearityResult result = LinearityRun.run(scale(), 1, folder, output::say);
        output.say("");
        output.say(ClusterResultTable.of(result));
        output.say("");
        return ClusterThresholds.of(result);
    }

    private ThresholdReport run(long seed, Path folder) throws IOException, InterruptedException {
        Map<Variant, VariantResult> results = new EnumMap<>(Variant.class);
        for (Variant variant : variants) {
            for (Scale scale : scalesOfVariants(variant)) {
                output.say(variant.description() + ", seed " + seed + " ...");
                results.merge(
                        variant, VariantRun.run(variant, scale, seed, folder, output::say), VariantResult::withRounds);
            }
        }
        ThresholdReport thresholds = new ThresholdReport();
        if (!results.isEmpty()) {
            output.say("");
            output.say(ClusterResultTable.of(results));
            output.say("");
            Files.createDirectories(out.toAbsolutePath().getParent());
            ClusterPlot.write(results, out);
            output.say("With pictures: " + out);
            thresholds.addAll(ClusterThresholds.of(results), "", "");
            thresholds.addAll(ClusterThresholds.counts(results), "", "");
        }
        return thresholds;
    }

    /** One cluster for what happens to hosts, and one for rounds, with few and large regions as in production. */
    private List<Scale> scalesOfVariants(Variant variant) {
        Scale scale = scale();
        Set<BenchmarkStage> rounds = EnumSet.copyOf(stages);
        rounds.removeIf(stage -> !stage.isRounds());
        Set<BenchmarkStage> others = EnumSet.copyOf(stages);
        others.removeIf(stage -> stage.isRounds() || stage == BenchmarkStage.LINEARITY);
        List<Scale> scales = new ArrayList<>();
        if (!others.isEmpty()) {
            scales.add(scale.of(others));
        }
        if (!rounds.isEmpty() && variant != Variant.NOTHING) {
            scales.add(scale.of(rounds).inRegions(2 * hosts));
        }
        return scales;
    }

    private Scale scale() {
        double latencyMs = unshaped ? 0 : 1;
        return quick
                ? new Scale(hosts, 12 * hosts, 96 * hosts, 100, 40, 10, 45, 2, latencyMs, settings, stages)
                : new Scale(hosts, 12 * hosts, 384 * hosts, 150, 40, 20, 180, 8, latencyMs, settings, stages);
    }
}
