// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import io.hearth.balancer.config.GoalSettings;
import io.hearth.cli.view.Table;
import io.hearth.common.model.LoadDimension;
import io.hearth.sim.scenario.Expectation.MaxOverMean;
import io.hearth.sim.scenario.ScenarioDurations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** The figures of several scenarios in one table, and below it what was expected and did not come. */
public final class ScenarioResultTable {

    static final long HOUR_MS = 3_600_000;

    private ScenarioResultTable() {}

    /** A line for each run. */
    public static String of(List<ScenarioRun> runs) {
        List<Table.RowColumn<ScenarioRun>> columns = new ArrayList<>();
        columns.add(Table.left("scenario", run -> run.scenario().name()));
        columns.add(Table.right(
                "lasts", run -> ScenarioDurations.text(run.scenario().lastsMs())));
        LoadDimension.shown().stream()
                .filter(dimension -> dimension.isCounter() && isOfInterest(runs, dimension))
                .forEach(counter -> columns.add(Table.right(counter.label(), run -> skew(run.history(), counter))));
        columns.addAll(List.of(
                Table.right("even after", ScenarioResultTable::evenAfter),
                Table.right(
                        "moves", run -> Integer.toString(run.history().moves().size())),
                Table.right("in an hour", run -> Integer.toString(run.history().mostMovesWithin(HOUR_MS))),
                Table.right("of a region", run -> Integer.toString(run.history().mostMovesOfOneRegion(Long.MAX_VALUE))),
                Table.right("to and fro", run -> Integer.toString(run.history().returns(Long.MAX_VALUE))),
                Table.right("expected", ScenarioResultTable::held)));
        return Table.of(runs, columns).text();
    }

    /** Every expectation that does not hold, with what was got; empty where all do. */
    public static List<String> failed(List<ScenarioRun> runs) {
        List<String> lines = new ArrayList<>();
        runs.forEach(run -> run.failed()
                .forEach(result -> lines.add(
                        run.scenario().name() + ": expected \"" + result.expected() + "\", got " + result.got())));
        return lines;
    }

    /** Whether plans weigh it unless a site says otherwise, or one of the scenarios is about it. */
    private static boolean isOfInterest(List<ScenarioRun> runs, LoadDimension dimension) {
        return GoalSettings.cost(dimension).defaultValue() > 0
                || runs.stream()
                        .flatMap(run -> run.scenario().loads().stream())
                        .anyMatch(load -> load.dimension() == dimension);
    }

    /** The first max/mean, and the worst of the last hour. */
    private static String skew(SimHistory history, LoadDimension dimension) {
        OptionalDouble first = history.first(dimension);
        OptionalDouble last = history.last(dimension);
        return first.isEmpty() || last.isEmpty()
                ? "-"
                : String.format(Locale.ROOT, "%.2f -> %.2f", first.getAsDouble(), last.getAsDouble());
    }

    /** When everything is first as even as the scenario asks for in the end. */
    private static String evenAfter(ScenarioRun run) {
        if (limits(run).isEmpty()) {
            return "-";
        }
        OptionalLong evenMs = evenAfterMs(run);
        return evenMs.isPresent() ? ScenarioDurations.text(evenMs.getAsLong()) : "never";
    }

    private static List<MaxOverMean> limits(ScenarioRun run) {
        return run.scenario().expectations().stream()
                .filter(MaxOverMean.class::isInstance)
                .map(MaxOverMean.class::cast)
                .filter(MaxOverMean::isAtMost)
                .toList();
    }

    /** The same in milliseconds of simulated time; empty where it never is, or nothing is asked for. */
    static OptionalLong evenAfterMs(ScenarioRun run) {
        List<MaxOverMean> limits = limits(run);
        if (limits.isEmpty()) {
            return OptionalLong.empty();
        }
        Set<LoadDimension> dimensions =
                limits.stream().map(MaxOverMean::dimension).collect(Collectors.toSet());
        double limit = limits.stream().mapToDouble(MaxOverMean::limit).max().orElse(1);
        return run.history().evenAfterMs(dimensions, limit);
    }

    private static String held(ScenarioRun run) {
        int all = run.expectationResults().size();
        return (run.holds() ? "all " : (all - run.failed().size()) + " of ") + all;
    }
}
