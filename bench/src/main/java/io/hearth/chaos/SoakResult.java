// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import io.hearth.chaos.SoakJournal.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * What the steps of a soak come to: whether a request was lost or wrong, or never sent while nothing was broken, whether each fault was
 * overcome, and whether the servers hold more in the last quarter of the time than in the second one, of four hours the second and the
 * last. Immutable.
 *
 * @param resources one for each name that {@link ResourceSampler} has
 * @param areResourcesJudged whether it took two hours at least: until then servers fill their caches and memstores
 * @param violations what is not as it must be, a line each; empty if all is well
 */
record SoakResult(SoakLoad.Totals load, List<Resource> resources, boolean areResourcesJudged, List<String> violations) {

    /** A resource may grow by this share. */
    static final double MOST_GROWTH = 0.05;

    /** While nothing is broken, so many requests may be left out for each that is answered. */
    static final double MOST_UNSENT = 0.03;

    private static final String NO_ANSWER = "no request was answered";
    private static final double JUDGED_FROM_SECONDS = 7_200;

    SoakResult {
        resources = List.copyOf(resources);
        violations = List.copyOf(violations);
    }

    /**
     * What the servers of a role hold of something.
     *
     * @param early the median of the second quarter
     * @param late the median of the last quarter
     */
    record Resource(String name, double early, double late) {

        /** By how much it has grown, as a share; below 0 where it has shrunk. */
        double growth() {
            return early > 0 ? late / early - 1 : late > 0 ? Double.POSITIVE_INFINITY : 0;
        }

        boolean isFlat() {
            return growth() <= MOST_GROWTH;
        }
    }

    /** The result of these steps, which have taken as long as the last one says. */
    static SoakResult of(List<Step> steps) {
        List<String> violations = new ArrayList<>(steps.isEmpty() ? List.of(NO_ANSWER) : List.of());
        SoakLoad.Totals load = SoakLoad.Totals.NONE;
        for (Step step : steps) {
            load = load.plus(step.load());
            String when = step.fault() + " with seed " + step.seed() + ": ";
            step.violations().forEach(violation -> violations.add(when + violation));
            if (step.load().requests() == 0) {
                violations.add(when + NO_ANSWER);
            }
        }
        count(violations, load.lost(), "reads found less than was acknowledged");
        count(violations, load.wrong(), "reads found what nobody wrote");
        count(violations, load.errors(), "requests failed");
        violations.addAll(neverSent(load.outsideFaults()));
        List<Resource> resources = resources(steps);
        boolean areJudged = seconds(steps) >= JUDGED_FROM_SECONDS;
        for (Resource resource : resources) {
            if (areJudged && !resource.isFlat()) {
                violations.add(String.format(
                        Locale.ROOT,
                        "%s: %.0f in the last quarter, %.1f %% more than the %.0f of the second; allowed are %.0f %%",
                        resource.name(),
                        resource.late(),
                        100 * resource.growth(),
                        resource.early(),
                        100 * MOST_GROWTH));
            }
        }
        return new SoakResult(load, resources, areJudged, violations);
    }

    private static List<String> neverSent(SoakLoad.OutsideFaults load) {
        return load.unsent() <= MOST_UNSENT * load.requests()
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "%d requests were not sent while nothing was broken, as too many had no answer; allowed are"
                                + " %.0f %% of the %d that were answered then",
                        load.unsent(),
                        100 * MOST_UNSENT,
                        load.requests()));
    }

    private static void count(List<String> violations, long count, String what) {
        if (count > 0) {
            violations.add(count + " " + what);
        }
    }

    private static double seconds(List<Step> steps) {
        return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).atSeconds();
    }

    private static List<Resource> resources(List<Step> steps) {
        double quarter = seconds(steps) / 4;
        TreeSet<String> names = new TreeSet<>();
        steps.stream().map(Step::resources).map(Map::keySet).forEach(names::addAll);
        List<Resource> resources = new ArrayList<>();
        for (String name : names) {
            OptionalDouble early = median(steps, name, quarter, 2 * quarter);
            OptionalDouble late = median(steps, name, 3 * quarter, Double.MAX_VALUE);
            if (early.isPresent() && late.isPresent()) {
                resources.add(new Resource(name, early.getAsDouble(), late.getAsDouble()));
            }
        }
        return resources;
    }

    private static OptionalDouble median(List<Step> steps, String name, double fromSeconds, double toSeconds) {
        double[] values = steps.stream()
                .filter(step -> step.atSeconds() > fromSeconds && step.atSeconds() <= toSeconds)
                .filter(step -> step.resources().containsKey(name))
                .mapToDouble(step -> step.resources().get(name))
                .sorted()
                .toArray();
        int middle = values.length / 2;
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        values.length % 2 == 1
                                ? values[middle]
                                : Arrays.stream(values, middle - 1, middle + 1)
                                        .average()
                                        .orElseThrow());
    }
}
