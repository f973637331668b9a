package io.hearth.demo.verdict;

import io.hearth.demo.verdict.Measurement.Measured;
import io.hearth.demo.verdict.Measurement.Unmeasured;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Every bar with what was measured against it; the run is good when all of them hold.
 *
 * @param results in the bars' order, one for each bar; immutable
 */
public record Verdict(List<Result> results) {

    public Verdict {
        results = List.copyOf(results);
    }

    /** The verdict on these measurements; a bar without one was not measured and does not hold. */
    public static Verdict of(Map<Bar, Measurement> measurements) {
        List<Result> results = new ArrayList<>();
        for (Bar bar : Bar.values()) {
            results.add(
                    new Result(bar, measurements.getOrDefault(bar, Measurement.missing("the run did not get there"))));
        }
        return new Verdict(results);
    }

    /** An empty set of measurements to fill. */
    public static Map<Bar, Measurement> measurements() {
        return new EnumMap<>(Bar.class);
    }

    /** Whether every bar holds. */
    public boolean holds() {
        return broken().isEmpty();
    }

    /** The bars that do not hold. */
    public List<Result> broken() {
        return results.stream().filter(result -> !result.holds()).toList();
    }

    public ExitCode exitCode() {
        return holds() ? ExitCode.ALL_BARS_HOLD : ExitCode.BAR_BROKEN;
    }

    /** One bar and what was measured against it. */
    public record Result(Bar bar, Measurement measurement) {

        public boolean holds() {
            return measurement instanceof Measured measured && bar.holds(measured.value());
        }

        /** The number with its unit, or why there is none. */
        public String valueText() {
            return measurement instanceof Unmeasured unmeasured
                    ? "not measured: " + unmeasured.reason()
                    : bar.unit().format(((Measured) measurement).value());
        }

        /** The number with its unit, or a dash. */
        public String shortText() {
            return measurement instanceof Measured measured ? bar.unit().format(measured.value()) : "-";
        }
    }
}
