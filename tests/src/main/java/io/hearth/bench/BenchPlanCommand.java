package io.hearth.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonSerializer;
import io.hearth.bench.plan.BenchRow;
import io.hearth.bench.plan.Misses;
import io.hearth.bench.plan.OurRun;
import io.hearth.bench.plan.PlanBench;
import io.hearth.bench.plan.PlanBenchTable;
import io.hearth.bench.plan.RowResult;
import io.hearth.bench.plan.StockRun;
import io.hearth.command.Commands;
import java.io.IOException;
import java.io.PrintWriter;
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
import org.apache.hadoop.hbase.master.balancer.StockTuning;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/hearth bench plan}: Hearth's planner and the stock balancer side by side, beside the bars. */
@Command(
        name = "plan",
        description = {
            "Plans on made-up clusters of 20 to 7,000 servers (lognormal heat of sigma 1, 100",
            "regions a server, equal counts) with Hearth's planner and with HBase's own, as it",
            "comes and tuned, in this JVM. Prints median and worst over the seeds."
        },
        sortOptions = false,
        usageHelpAutoWidth = true)
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

    @Option(names = "--seeds", paramLabel = "N", description = "clusters of each size, 1 to 100 (default 5)")
    private int seeds = 5;

    @Option(
            names = "--sizes",
            paramLabel = "N",
            split = ",",
            description = "servers: of 20, 100, 500, 1000, 7000 (default all)")
    private Set<Integer> sizes = Set.of(20, 100, 500, 1_000, 7_000);

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

    @Option(names = "--json", paramLabel = "FILE", description = "write every run to this file, too")
    private @Nullable Path json;

    @Override
    public Integer call() {
        checkValues();
        PrintWriter out = spec.commandLine().getOut();
        List<RowResult> results = new ArrayList<>();
        PlanBench bench = new PlanBench(System::nanoTime, BenchPlanCommand::cpuNanos);
        bench.warmUp(WARM_UP_MS);
        for (BenchRow row : rows()) {
            out.println("measuring " + row.title() + " dimensions ...");
            out.flush();
            results.add(measure(bench, row));
        }
        return report(out, results);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private void checkValues() {
        requireInRange("--seeds", seeds, 1, 100);
        requireInRange("--stock-seeds", stockSeeds, 0, seeds);
        requireInRange("--stock-seconds", stockSeconds, 1, 600);
        Set<Integer> known =
                BenchRow.all().stream().map(BenchRow::servers).collect(Collectors.toCollection(TreeSet::new));
        for (int size : sizes) {
            if (!known.contains(size)) {
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

    private List<BenchRow> rows() {
        return BenchRow.all().stream()
                .filter(row -> sizes.contains(row.servers()) && (!quick || row.servers() <= QUICK_SERVERS))
                .toList();
    }

    private RowResult measure(PlanBench bench, BenchRow row) {
        List<OurRun> ours = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            ours.add(bench.ours(row, seed));
        }
        List<StockRun> stock = new ArrayList<>();
        for (long seed = 1; row.hasStock() && seed <= stockSeeds; seed++) {
            for (StockTuning tuning : StockTuning.values()) {
                stock.add(bench.stock(row, seed, tuning, stockMillis()));
            }
        }
        return new RowResult(row, ours, stock);
    }

    private long stockMillis() {
        return 1_000L * (quick ? Math.min(QUICK_STOCK_SECONDS, stockSeconds) : stockSeconds);
    }

    private int report(PrintWriter out, List<RowResult> results) {
        out.println();
        out.println(PlanBenchTable.of(results));
        out.println();
        out.printf(
                Locale.ROOT,
                "Hearth on %d seeds, stock on %d of them with up to %d s each. r, w, b: reads, writes, bytes. The least"
                        + " moves are a lower bound for as even a cluster.%n",
                seeds,
                stockSeeds,
                stockMillis() / 1_000);
        writeJson(results);
        List<String> misses =
                results.stream().flatMap(result -> Misses.of(result).stream()).toList();
        misses.forEach(miss -> out.println("MISSED  " + miss));
        out.println(misses.isEmpty() ? "All bars hold." : misses.size() + " bars do not hold.");
        out.flush();
        return misses.isEmpty() ? Commands.HOLDS : Commands.BROKEN;
    }

    private void writeJson(List<RowResult> results) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(json, GSON.toJson(results) + "\n");
        } catch (IOException failure) {
            throw problem("--json is " + json + ", which can't be written: " + failure);
        }
    }
}
