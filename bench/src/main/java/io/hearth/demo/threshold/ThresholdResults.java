// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.threshold;

import io.hearth.cli.ExitCode;
import io.hearth.demo.threshold.ThresholdResults.Measurement.Measured;
import io.hearth.demo.threshold.ThresholdResults.Measurement.Unmeasured;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Every threshold with what was measured against it; the run is good when all of them hold.
 *
 * @param results in the thresholds' order, one for each threshold; immutable
 */
public record ThresholdResults(List<Result> results) {

    public ThresholdResults {
        results = List.copyOf(results);
    }

    /** The results of these measurements; a threshold without one was not measured and does not hold. */
    public static ThresholdResults of(Map<Threshold, Measurement> measurements) {
        List<Result> results = new ArrayList<>();
        for (Threshold threshold : Threshold.values()) {
            results.add(new Result(
                    threshold, measurements.getOrDefault(threshold, Measurement.missing("the run did not get there"))));
        }
        return new ThresholdResults(results);
    }

    /** An empty set of measurements to fill. */
    public static Map<Threshold, Measurement> measurements() {
        return new EnumMap<>(Threshold.class);
    }

    /** Whether every threshold holds. */
    public boolean holds() {
        return violated().isEmpty();
    }

    /** The thresholds that do not hold. */
    public List<Result> violated() {
        return results.stream().filter(result -> !result.holds()).toList();
    }

    public ExitCode exitCode() {
        return holds() ? ExitCode.DONE : ExitCode.INCOMPLETE;
    }

    /** One threshold and what was measured against it. */
    public record Result(Threshold threshold, Measurement measurement) {

        public boolean holds() {
            return measurement instanceof Measured measured && threshold.holds(measured.value());
        }

        /** The number with its unit, or why there is none. */
        public String valueText() {
            return measurement instanceof Unmeasured unmeasured
                    ? "not measured: " + unmeasured.reason()
                    : threshold.unit().format(((Measured) measurement).value());
        }

        /** The number with its unit, or a dash. */
        public String shortText() {
            return measurement instanceof Measured measured ? threshold.unit().format(measured.value()) : "-";
        }
    }

    /** What was measured against a threshold: a number, or the reason why there is none. */
    public sealed interface Measurement {

        /** A number that was measured. */
        record Measured(double value) implements Measurement {}

        /** No number, and why: it never counts as a threshold that holds. */
        record Unmeasured(String reason) implements Measurement {}

        static Measurement of(double value) {
            return new Measured(value);
        }

        static Measurement of(OptionalDouble value, String reasonIfAbsent) {
            return value.isPresent() ? new Measured(value.getAsDouble()) : new Unmeasured(reasonIfAbsent);
        }

        static Measurement missing(String reason) {
            return new Unmeasured(reason);
        }
    }
}
