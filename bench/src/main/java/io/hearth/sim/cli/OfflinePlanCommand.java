// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim.cli;

import com.google.gson.GsonBuilder;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.JsonPathValue.JsonFormatException;
import io.hearth.balancer.hbase.SnapshotFile;
import io.hearth.balancer.plan.Plan;
import io.hearth.balancer.plan.PlanGoals;
import io.hearth.balancer.plan.PlanGoals.DimensionGoal;
import io.hearth.balancer.plan.PlannedMove;
import io.hearth.balancer.plan.RegionReason;
import io.hearth.balancer.planner.DirectedPlanner;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.RegionState;
import io.hearth.cli.ExitCode;
import io.hearth.cli.view.OutputFormat;
import io.hearth.cli.view.RegionReasonTable;
import io.hearth.cli.view.Table;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.sim.cli.PlanComparisonTable.EvaluatedPlan;
import io.hearth.sim.oracle.LowerBounds;
import io.hearth.sim.oracle.PlanEvaluation;
import io.hearth.testkit.command.Commands;
import io.hearth.testkit.command.OutputOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.master.balancer.StockSearch;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockPlan;
import org.apache.hadoop.hbase.master.balancer.StockSearch.StockTuning;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/hearth balancer plan}: plans on a snapshot file, Hearth's planner and the stock balancer side by side. */
@Command(
        name = "bin/hearth balancer plan",
        description = {
            "Plans on a snapshot file with Hearth's planner and with HBase's own balancer, side",
            "by side; nothing is moved. The same file gives the same plan of Hearth's again."
        },
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is a plan, be it to move nothing",
            "2:a wrong argument, or a file that is not understood"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bin/hearth balancer plan --snapshot cluster.json --explain",
            "  bin/hearth balancer plan --snapshot cluster.json --why 1588230740",
            "  bin/hearth balancer plan --snapshot cluster.json --weights read=400,size=0"
        })
public final class OfflinePlanCommand implements Callable<Integer> {

    private static final double MAX_WEIGHT = 1_000_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--snapshot", required = true, paramLabel = "FILE", description = "the snapshot file")
    private Path file;

    @Option(
            names = "--weights",
            split = ",",
            paramLabel = "NAME=N",
            description = "other weights than the file's: read=N,write=N,size=N")
    private Map<String, Double> weights = Map.of();

    @Option(names = "--explain", description = "say why of every move, and of every hot region that stays")
    private boolean explain;

    @Option(
            names = "--why",
            paramLabel = "REGION",
            description = "say why this region is moved or is not, by its name or its encoded name; may be repeated")
    private List<String> why = List.of();

    @Option(
            names = "--output",
            paramLabel = "FORMAT",
            converter = OutputOption.Formats.class,
            description = "table, or json or csv for the moves alone (default table); with --why for these regions")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = "--stock-seconds",
            paramLabel = "N",
            description = "how long the stock balancer may search, 0 to 600 (default 5; 0: leave it out)")
    private int stockSeconds = 5;

    /** Plans, and ends the JVM with the exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return Commands.of(new OfflinePlanCommand());
    }

    @Override
    public Integer call() {
        if (stockSeconds < 0 || stockSeconds > 600) {
            throw Commands.problem(spec, "--stock-seconds is " + stockSeconds + "; allowed are 0 to 600");
        }
        SnapshotFile read = read();
        PlanGoals goals = goals(read);
        long begin = System.nanoTime();
        Set<EncodedRegionName> asked = asked(read.state());
        DirectedPlanner.ExplainedPlan explained = new DirectedPlanner().explain(read.state(), goals, asked);
        Plan plan = explained.plan();
        long millis = (System.nanoTime() - begin) / 1_000_000;
        PrintWriter out = spec.commandLine().getOut();
        if (!asked.isEmpty()) {
            printReasons(out, explained, asked);
            return ExitCode.DONE.code();
        }
        switch (format) {
            case JSON -> out.println(json(plan));
            case CSV -> table(plan).csv().forEach(out::println);
            case TABLE -> print(out, read, plan, goals, millis);
        }
        out.flush();
        return ExitCode.DONE.code();
    }

    private Set<EncodedRegionName> asked(ClusterState state) {
        Map<String, EncodedRegionName> known = state.servers().stream()
                .flatMap(server -> server.regions().stream())
                .map(RegionState::region)
                .collect(Collectors.toMap(EncodedRegionName::encodedName, region -> region));
        Set<EncodedRegionName> asked = new LinkedHashSet<>();
        for (String name : why) {
            EncodedRegionName region = known.get(HBaseNames.encodedName(name));
            if (region == null) {
                throw Commands.problem(spec, "--why is " + name + "; " + file + " has no region of that name");
            }
            asked.add(region);
        }
        return asked;
    }

    private void printReasons(PrintWriter out, DirectedPlanner.ExplainedPlan explained, Set<EncodedRegionName> asked) {
        List<RegionReason> reasons = explained.reasons(asked);
        switch (format) {
            case JSON ->
                out.println(new GsonBuilder().setPrettyPrinting().create().toJson(reasons));
            case CSV -> RegionReasonTable.of(reasons).csv().forEach(out::println);
            case TABLE -> reasons.forEach(one -> out.println(one.text() + "."));
        }
        out.flush();
    }

    private SnapshotFile read() {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw Commands.problem(spec, "--snapshot is " + file + ", which is no file that can be read");
        }
        try {
            return SnapshotFile.read(file);
        } catch (JsonFormatException problem) {
            throw Commands.problem(spec, problem.line());
        } catch (IOException failure) {
            throw Commands.problem(spec, "--snapshot is " + file + ", which can't be read: " + failure);
        }
    }

    private PlanGoals goals(SnapshotFile read) {
        try {
            return withWeights(read.goals(), weights);
        } catch (IllegalArgumentException wrong) {
            throw Commands.problem(spec, String.valueOf(wrong.getMessage()));
        }
    }

    private void print(PrintWriter out, SnapshotFile read, Plan plan, PlanGoals goals, long millis) {
        ClusterState snapshot = read.state();
        out.printf(
                Locale.ROOT,
                "%d servers, %,d regions, taken %s by %s (HBase %s)%n%n",
                snapshot.servers().size(),
                snapshot.regionCount(),
                Instant.ofEpochMilli(snapshot.atMs()),
                snapshot.source(),
                snapshot.hbaseVersion());
        List<EvaluatedPlan> alternatives = new ArrayList<>();
        alternatives.add(new EvaluatedPlan("as it is", PlanEvaluation.ofNoPlan(snapshot), 0));
        alternatives.add(new EvaluatedPlan("hearth", PlanEvaluation.of(snapshot, targets(plan)), millis));
        if (stockSeconds > 0) {
            alternatives.addAll(stock(snapshot, goals));
        }
        out.println(PlanComparisonTable.of(alternatives));
        out.println();
        out.println(bounds(snapshot, alternatives.get(1).after(), goals));
        if (explain) {
            out.println();
            plan.explain().forEach(out::println);
        }
    }

    private List<EvaluatedPlan> stock(ClusterState snapshot, PlanGoals goals) {
        List<EvaluatedPlan> alternatives = new ArrayList<>();
        for (StockTuning tuning : StockTuning.values()) {
            StockPlan plan = StockSearch.run(snapshot, tuning, goals.counts().slop(), stockSeconds * 1_000L);
            alternatives.add(new EvaluatedPlan(
                    tuning.label(), PlanEvaluation.of(snapshot, plan.serverByRegion()), plan.millis()));
        }
        return alternatives;
    }

    private static String bounds(ClusterState snapshot, PlanEvaluation after, PlanGoals goals) {
        List<String> least = new ArrayList<>();
        goals.goalByDimension().keySet().stream().sorted().forEach(dimension -> {
            least.add(String.format(
                    Locale.ROOT, "%s %.3f", dimension.label(), LowerBounds.evenness(snapshot, dimension)));
        });
        return String.format(
                Locale.ROOT,
                "No plan can be more even than %s, or as even as Hearth's with fewer than %d moves.",
                String.join(", ", least),
                LowerBounds.moves(snapshot, after, goals.goalByDimension().keySet()));
    }

    private static Map<EncodedRegionName, ServerId> targets(Plan plan) {
        return plan.moves().stream().collect(Collectors.toMap(PlannedMove::region, PlannedMove::to));
    }

    /** One move of a plan, as JSON has it. */
    private record JsonMove(String region, String table, String from, String to, String because) {}

    private static Table table(Plan plan) {
        return new Table(
                Stream.of("region", "table", "from", "to", "because")
                        .map(name -> Table.Column.ofText(name, name))
                        .toList(),
                moves(plan).stream()
                        .map(move -> Stream.of(move.region(), move.table(), move.from(), move.to(), move.because())
                                .map(Table.Cell::of)
                                .toList())
                        .toList());
    }

    private static String json(Plan plan) {
        return new GsonBuilder()
                .setPrettyPrinting()
                .create()
                .toJson(Map.of("summary", plan.summary(), "moves", moves(plan)));
    }

    private static List<JsonMove> moves(Plan plan) {
        return plan.moves().stream()
                .map(move -> new JsonMove(
                        move.region().encodedName(),
                        move.table().name(),
                        move.from().toString(),
                        move.to().toString(),
                        move.because().label()))
                .toList();
    }

    /**
     * The goals with other weights of heat than those of the snapshot file.
     *
     * @throws IllegalArgumentException if a name or a value is none that is allowed
     */
    private static PlanGoals withWeights(PlanGoals goals, Map<String, Double> weightByName) {
        Map<LoadDimension, DimensionGoal> heat = new EnumMap<>(LoadDimension.class);
        heat.putAll(goals.goalByDimension());
        weightByName.forEach((name, weight) -> {
            LoadDimension dimension = weightedDimension(name);
            if (!(weight >= 0 && weight <= MAX_WEIGHT)) {
                throw new IllegalArgumentException(
                        "--weights has " + name + "=" + weight + "; allowed are 0 to 1000000");
            }
            DimensionGoal goal = heat.get(dimension);
            if (goal == null) {
                throw new IllegalArgumentException("--weights has " + name + ", for which the snapshot has no goal");
            }
            heat.put(dimension, new DimensionGoal(weight, goal.trigger(), goal.target(), goal.minMean()));
        });
        return new PlanGoals(heat, goals.counts(), goals.tables(), goals.moveCosts(), goals.limits());
    }

    /** By the name of a table's weight; two dimensions may have one, of which the first is meant. */
    private static LoadDimension weightedDimension(String name) {
        Map<String, LoadDimension> byName = new LinkedHashMap<>();
        for (LoadDimension dimension : LoadDimension.values()) {
            byName.putIfAbsent(dimension.tableWeight().toLowerCase(Locale.ROOT), dimension);
        }
        LoadDimension dimension = byName.get(name);
        if (dimension == null) {
            List<String> names = List.copyOf(byName.keySet());
            int last = names.size() - 1;
            throw new IllegalArgumentException("--weights has " + name + "; allowed are "
                    + String.join(", ", names.subList(0, last)) + " and " + names.get(last));
        }
        return dimension;
    }
}
