// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonSerializer;
import io.hearth.bench.plan.ByTableCase;
import io.hearth.bench.plan.PlanBench;
import io.hearth.bench.plan.PlanBenchCase;
import io.hearth.bench.plan.PlanCaseResult;
import io.hearth.bench.plan.PlanCaseResult.HearthRun;
import io.hearth.bench.plan.PlanCaseResult.StockRun;
import io.hearth.bench.plan.PlanResultTable;
import io.hearth.bench.plan.PlanThresholds;
import io.hearth.bench.plan.ScaleOutCase;
import io.hearth.bench.plan.family.FamilySuite;
import io.hearth.bench.threshold.ThresholdReport;
import io.hearth.testkit.command.OutputOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench plan}: Hearth's planner and the stock balancer side by side, beside the thresholds. */
@Command(
        name = "plan",
        description = {
            "Plans of Hearth and of the stock balancer on synthetic clusters.",
            "They have 20 to 7,000 servers (lognormal heat of sigma 1, 100 regions a server, equal",
            "counts). Plans with Hearth's planner and with HBase's own, as it comes and tuned, in this",
            "JVM, and prints median and worst over the seeds. Then with Hearth's alone where all",
            "regions are on some of the servers, as after a full restart. With --families: plans for",
            "clusters as production has them, beside a lower bound and a general solver's plans."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth bench plan --quick",
            "  bin/hearth bench plan --sizes 20,100 --out runs.json",
            "  bin/hearth bench plan --families --seeds 3 --sizes 60x80",
            "  bin/hearth bench plan --families --family caps,fast20 --seed 2 --sizes 60x80"
        })
public final class BenchPlanCommand implements Callable<Integer> {

    private static final Gson GSON = new GsonBuilder()
            .setPrettyPrinting()
            .registerTypeAdapter(Optional.class, (JsonSerializer<Optional<?>>)
                    (value, type, context) -> value.isPresent() ? context.serialize(value.get()) : JsonNull.INSTANCE)
            .create();

    private static final long WARM_UP_MS = 8_000;
    private static final int QUICK_SERVERS = 100;
    private static final int QUICK_STOCK_SECONDS = 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "clusters of each size, 1 to 100 (default 5; of each family 10)")
    private @Nullable Integer seedsGiven;

    private int seeds = 5;

    @Option(
            names = "--sizes",
            paramLabel = "N",
            split = ",",
            description = {
                "servers: of 20, 100, 500, 1000, 7000 (default all; none of the crowded clusters);",
                "with --families servers and regions of each (default 60x80,500x100,1000x100)"
            })
    private @Nullable Set<String> sizes;

    @Option(
            names = "--crowded",
            description =
                    "only the clusters whose regions are on some of the servers, and a run by table over 5,000 tables")
    private boolean scaleOutOnly;

    @Option(
            names = "--stock-seeds",
            paramLabel = "N",
            description = "clusters on which stock is tried too, 0 to N (default 1: it takes its time)")
    private int stockSeeds = 1;

    @Option(
            names = "--stock-seconds",
            paramLabel = "N",
            description = "how long one stock search may take, 1 to 600 (default 30, as HBase has it)")
    private int stockSeconds = 30;

    @Option(names = "--quick", description = "20 and 100 servers only, 2 s for stock")
    private boolean quick;

    @Option(names = "--families", description = "only the clusters that are hard to make even, in families")
    private boolean families;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            split = ",",
            description = "with --families: only these (default all): "
                    + "fast20, caps, anti, bimodal, replicas, sigma1, reads1, sigma15, hottable, giants, doubled, emptyrack,"
                    + " group3, group60")
    private List<String> familyNames = List.of();

    @Option(names = "--seed", paramLabel = "N", description = "with --families: the cluster of this seed alone")
    private @Nullable Long seed;

    @Option(names = "--out", paramLabel = "FILE", description = "write every run to this file, too")
    private @Nullable Path out;

    @Mixin
    private OutputOption output;

    @Override
    public Integer call() {
        if (families) {
            return callOfFamilies();
        }
        checkValues();
        List<PlanCaseResult> results = new ArrayList<>();
        PlanBench bench = new PlanBench(System::nanoTime, BenchPlanCommand::cpuNanos);
        bench.warmUp(WARM_UP_MS);
        for (PlanBenchCase row : rows()) {
            output.say("measuring " + row.title() + " dimensions ...");
            results.add(measure(bench, row));
        }
        List<ScaleOutCase.Result> scaleOutCases = new ArrayList<>();
        for (ScaleOutCase row : scaleOutCases()) {
            output.say("measuring " + row.title() + " ...");
            for (long seed = 1; seed <= seeds; seed++) {
                scaleOutCases.add(row.measure(seed, BenchPlanCommand::cpuNanos));
            }
        }
        List<ByTableCase.Result> byTable = new ArrayList<>();
        if (!scaleOutCases().isEmpty()) {
            for (long seed = 1; seed <= seeds; seed++) {
                for (ByTableCase row : ByTableCase.all()) {
                    byTable.add(row.measure(seed, BenchPlanCommand::cpuNanos));
                }
            }
        }
        return report(results, scaleOutCases, byTable);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private int callOfFamilies() {
        if (scaleOutOnly || quick) {
            throw problem("--families goes with --family, --seeds, --seed, --sizes and --out only");
        }
        int ofEach = seedsGiven == null ? FamilySuite.DEFAULT_SEEDS : seedsGiven;
        requireInRange("--seeds", ofEach, 1, 100);
        List<Long> all =
                seed == null ? LongStream.rangeClosed(1, ofEach).boxed().toList() : List.of(seed);
        ThresholdReport thresholds;
        try {
            thresholds = FamilySuite.of(familyNames, sizes == null ? Set.of() : sizes, all)
                    .run(output.forPerson(), BenchPlanCommand::cpuNanos, Optional.ofNullable(out));
        } catch (IllegalArgumentException wrong) {
            throw problem(String.valueOf(wrong.getMessage()));
        } catch (UncheckedIOException failure) {
            throw problem("--out is " + out + ", which can't be written: " + failure.getCause());
        }
        return thresholds.end(output);
    }

    private void checkValues() {
        if (!familyNames.isEmpty() || seed != null) {
            throw problem("--family and --seed go with --families only");
        }
        seeds = seedsGiven == null ? seeds : seedsGiven;
        requireInRange("--seeds", seeds, 1, 100);
        requireInRange("--stock-seeds", stockSeeds, 0, seeds);
        requireInRange("--stock-seconds", stockSeconds, 1, 600);
        Set<Integer> known =
                PlanBenchCase.all().stream().map(PlanBenchCase::servers).collect(Collectors.toCollection(TreeSet::new));
        Set<String> names = known.stream().map(String::valueOf).collect(Collectors.toSet());
        if (scaleOutOnly && (sizes != null || quick || out != null)) {
            throw problem("--crowded goes with --seeds only");
        }
        for (String size : sizes == null ? Set.<String>of() : sizes) {
            if (!names.contains(size)) {
                throw problem("--sizes has " + size + "; allowed are " + known);
            }
        }
    }

    private void requireInRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw problem(name + " is " + value + "; allowed are " + least + " to " + most);
        }
    }

    private ParameterException problem(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private List<PlanBenchCase> rows() {
        return PlanBenchCase.all().stream()
                .filter(row -> !scaleOutOnly
                        && (sizes == null || sizes.contains(String.valueOf(row.servers())))
                        && (!quick || row.servers() <= QUICK_SERVERS))
                .toList();
    }

    private List<ScaleOutCase> scaleOutCases() {
        return sizes == null && !quick ? ScaleOutCase.all() : List.of();
    }

    private PlanCaseResult measure(PlanBench bench, PlanBenchCase row) {
        List<HearthRun> hearth = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            hearth.add(bench.hearth(row, seed));
        }
        List<StockRun> stock = new ArrayList<>();
        for (long seed = 1; row.hasStock() && seed <= stockSeeds; seed++) {
            for (StockTuning tuning : StockTuning.values()) {
                stock.add(bench.stock(row, seed, tuning, stockMillis()));
            }
        }
        return new PlanCaseResult(row, hearth, stock);
    }

    private long stockMillis() {
        return 1_000L * (quick ? Math.min(QUICK_STOCK_SECONDS, stockSeconds) : stockSeconds);
    }

    private int report(
            List<PlanCaseResult> results, List<ScaleOutCase.Result> scaleOutCases, List<ByTableCase.Result> byTable) {
        PrintWriter out = output.forPerson();
        if (!results.isEmpty()) {
            print(out, results);
        }
        out.println();
        scaleOutCases.forEach(result -> out.println(result.text()));
        byTable.forEach(result -> out.println(result.text()));
        return thresholds(results, scaleOutCases, byTable).end(output);
    }

    /** The figures of all of them. */
    static ThresholdReport thresholds(
            List<PlanCaseResult> results, List<ScaleOutCase.Result> scaleOutCases, List<ByTableCase.Result> byTable) {
        ThresholdReport thresholds = new ThresholdReport();
        results.forEach(result -> thresholds.addAll(PlanThresholds.of(result), "", ""));
        scaleOutCases.forEach(result -> thresholds.addAll(result.thresholds(), "", ""));
        byTable.forEach(result -> thresholds.addAll(result.thresholds(), "", ""));
        return thresholds;
    }

    private void print(PrintWriter out, List<PlanCaseResult> results) {
        out.println();
        out.println(PlanResultTable.of(results));
        out.println();
        out.printf(
                Locale.ROOT,
                "Hearth on %d seeds, stock on %d of them with up to %d s each. r, w, b: reads, writes, bytes. The least"
                        + " moves are a lower bound for as even a cluster.%n",
                seeds,
                stockSeeds,
                stockMillis() / 1_000);
        writeJson(results);
    }

    private void writeJson(List<PlanCaseResult> results) {
        if (out == null) {
            return;
        }
        try {
            Files.writeString(out, GSON.toJson(results) + "\n");
        } catch (IOException failure) {
            throw problem("--out is " + out + ", which can't be written: " + failure);
        }
    }
}
