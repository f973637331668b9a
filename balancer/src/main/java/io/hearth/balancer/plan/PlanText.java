// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.plan.Plan.DimensionOutcome;
import io.hearth.balancer.plan.Plan.LocalityOutcome;
import io.hearth.balancer.plan.Plan.RegionCountOutcome;
import io.hearth.balancer.plan.PlannedMove.MoveScore;
import io.hearth.balancer.plan.PlannedMove.RunnerUp;
import io.hearth.common.model.LoadDimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** A plan in words. */
final class PlanText {

    private static final String CUT_SHORT =
            "; the time to plan was up (hearth.balancer.plan.deadline.ms), the rest is left to the next run";

    private static final String GAIN =
            "gain: what moves count by, after their costs; at weight 200 one server that comes 1 % of its fair share nearer"
                    + " to its target is a gain of 2";

    private PlanText() {}

    static String summary(Plan plan) {
        StringJoiner dimensions = new StringJoiner(", ");
        for (LoadDimension dimension : LoadDimension.values()) {
            DimensionOutcome outcome = plan.outcome(dimension);
            dimensions.add(format(
                    "%s %.2f -> %.2f", dimension.label(), outcome.maxOverMeanBefore(), outcome.maxOverMeanAfter()));
        }
        return moves(plan.moves().size()) + "; max/mean of " + dimensions + bySlop(plan)
                + (plan.isCutShort() ? CUT_SHORT : "");
    }

    /** {@code ; reads 1.27 instead of 1.09 by hbase.regions.slop}, or nothing. */
    private static String bySlop(Plan plan) {
        StringJoiner dimensions = new StringJoiner(", ", "; ", " by hbase.regions.slop").setEmptyValue("");
        plan.counts()
                .maxOverMeanWithoutSlop()
                .forEach((dimension, without) -> dimensions.add(format(
                        "%s %.2f instead of %.2f",
                        dimension.label(), plan.outcome(dimension).maxOverMeanAfter(), without)));
        return dimensions.toString();
    }

    static List<String> explain(Plan plan) {
        List<String> lines = new ArrayList<>();
        lines.add(plan.summary());
        plan.outcomeByDimension().forEach((dimension, outcome) -> {
            if (outcome.weighed()) {
                lines.add(bound(dimension, outcome));
            }
        });
        lines.add(counts(plan.counts()));
        lines.add(heal(plan.heal()));
        plan.pinnedRegions()
                .forEach((pin, regions) -> lines.add(format("pinned: %d, because %s", regions, pin.reason())));
        if (!plan.moves().isEmpty()) {
            lines.add(GAIN);
        }
        plan.moves().forEach(move -> {
            lines.add(move(move));
            move.runnerUp().ifPresent(second -> lines.add(runnerUp(move, second)));
        });
        plan.unmovedRegions().forEach(left -> lines.add(left.text()));
        return lines;
    }

    private static String bound(LoadDimension dimension, DimensionOutcome outcome) {
        return format(
                "%s: max/mean %.3f -> %.3f; no plan comes below %.3f, or there with fewer than %s",
                dimension.label(),
                outcome.maxOverMeanBefore(),
                outcome.maxOverMeanAfter(),
                outcome.lowerBound(),
                moves(outcome.leastMoves()));
    }

    private static String counts(RegionCountOutcome counts) {
        return format(
                "regions of a server: %d to %d -> %d to %d; imbalance %.4f -> %.4f",
                counts.fewestBefore(),
                counts.mostBefore(),
                counts.fewestAfter(),
                counts.mostAfter(),
                counts.imbalanceBefore(),
                counts.imbalanceAfter());
    }

    private static String heal(LocalityOutcome heal) {
        return format(
                "bytes to heal: %d; on the targets' hosts already: %d%s",
                heal.bytesToHeal(),
                heal.bytesAtTargets(),
                heal.unknownMoves() == 0 ? "" : ", and those of " + moves(heal.unknownMoves()) + " that nobody knows");
    }

    static String move(PlannedMove move) {
        return format(
                "move %s of %s from %s to %s for %s%s: gain %.2f (%s)",
                move.region(),
                move.table(),
                move.from(),
                move.to(),
                move.because().label(),
                move.swappedFor().map(other -> ", in exchange for " + other).orElse(""),
                move.score().net(),
                parts(move.score()));
    }

    private static String parts(MoveScore score) {
        StringJoiner parts = new StringJoiner(", ");
        for (Map.Entry<Objective, Double> part : score.gainByObjective().entrySet()) {
            if (part.getValue() != 0) {
                parts.add(format("%s %+.2f", part.getKey().label(), part.getValue()));
            }
        }
        return parts.toString();
    }

    private static String runnerUp(PlannedMove move, RunnerUp second) {
        String what = second.region().equals(move.region())
                ? "the same region"
                : second.region().toString();
        return format(
                "  rather than %s from %s to %s: gain %.2f, behind in %s",
                what,
                second.from(),
                second.to(),
                second.score().net(),
                second.weakerIn().label());
    }

    private static String moves(int count) {
        return count + (count == 1 ? " move" : " moves");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
