// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.sim;

import com.google.gson.Gson;
import io.hearth.cli.view.Table;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The figures of scenarios for a program: times in milliseconds of simulated time, max over mean of the servers' loads, numbers of moves.
 * Immutable.
 */
public final class ScenarioResults {

    private final boolean holds;
    private final List<Result> scenarios;

    private ScenarioResults(List<Result> scenarios) {
        this.scenarios = scenarios;
        this.holds = scenarios.stream().allMatch(result -> result.holds);
    }

    /** What is not known of a run is {@code null}, which is left out. */
    private record Result(
            String scenario,
            boolean holds,
            long lastsMs,
            @Nullable Long evenAfterMs,
            int moves,
            int mostMovesInAnHour,
            int mostMovesOfARegion,
            int movesToAndFro,
            Map<String, Double> firstMaxOverMean,
            Map<String, Double> lastMaxOverMean,
            List<ExpectationResult> expectations) {}

    public static ScenarioResults of(List<ScenarioRun> runs) {
        return new ScenarioResults(runs.stream().map(ScenarioResults::result).toList());
    }

    private static Result result(ScenarioRun run) {
        SimHistory history = run.history();
        OptionalLong evenAfterMs = ScenarioResultTable.evenAfterMs(run);
        Map<String, Double> first = new LinkedHashMap<>();
        Map<String, Double> last = new LinkedHashMap<>();
        for (LoadDimension dimension : LoadDimension.values()) {
            if (dimension.isCounter()) {
                put(first, dimension, history.first(dimension));
                put(last, dimension, history.last(dimension));
            }
        }
        return new Result(
                run.scenario().name(),
                run.holds(),
                run.scenario().lastsMs(),
                evenAfterMs.isPresent() ? evenAfterMs.getAsLong() : null,
                history.moves().size(),
                history.mostMovesWithin(ScenarioResultTable.HOUR_MS),
                history.mostMovesOfOneRegion(Long.MAX_VALUE),
                history.returns(Long.MAX_VALUE),
                first,
                last,
                run.expectationResults());
    }

    private static void put(Map<String, Double> skews, LoadDimension dimension, OptionalDouble maxOverMean) {
        maxOverMean.ifPresent(value -> skews.put(dimension.jsonName(), value));
    }

    /** One line. */
    public String json() {
        return new Gson().toJson(this);
    }

    /** A line for each run, under the names; without what was expected in words. */
    public List<String> csv() {
        List<Table.RowColumn<Result>> columns = new ArrayList<>(List.of(
                Table.left("scenario", Result::scenario),
                Table.left("holds", result -> Boolean.toString(result.holds)),
                Table.right("lastsMs", result -> Long.toString(result.lastsMs)),
                Table.right("evenAfterMs", result -> result.evenAfterMs == null ? "" : result.evenAfterMs.toString()),
                Table.right("moves", result -> Integer.toString(result.moves)),
                Table.right("mostMovesInAnHour", result -> Integer.toString(result.mostMovesInAnHour)),
                Table.right("mostMovesOfARegion", result -> Integer.toString(result.mostMovesOfARegion)),
                Table.right("movesToAndFro", result -> Integer.toString(result.movesToAndFro))));
        for (LoadDimension dimension : LoadDimension.values()) {
            if (dimension.isCounter()) {
                String name = dimension.jsonName();
                columns.add(Table.right(name + "FirstMaxOverMean", result -> text(result.firstMaxOverMean, name)));
                columns.add(Table.right(name + "LastMaxOverMean", result -> text(result.lastMaxOverMean, name)));
            }
        }
        return Table.of(scenarios, columns).csv();
    }

    private static String text(Map<String, Double> skews, String name) {
        return skews.containsKey(name) ? skews.get(name).toString() : "";
    }
}
