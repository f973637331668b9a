// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import io.hearth.bench.heal.RankingRun.RemoteBytesDistribution;
import io.hearth.bench.plan.Statistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What orders are worth, as a table with a line for each way in which bytes can be remote. */
public final class RankingResultTable {

    private static final String LINE = "%-42s %-14s %-14s %-14s %-14s %s%n";

    private RankingResultTable() {}

    /** The table, and what of it does not hold into the bars. */
    public static String of(Map<RemoteBytesDistribution, List<RankingRun>> runs, ThresholdReport thresholds) {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                LINE,
                "30 % of the bytes are remote:",
                "hearth",
                "1/5 unknown",
                "by locality",
                "best order",
                ""));
        runs.forEach((remote, ofRemote) -> {
            boolean holds = ofRemote.stream().allMatch(RankingRun::holds);
            boolean barHolds = ofRemote.stream().allMatch(run -> run.hearth() >= RankingRun.THRESHOLD);
            table.append(String.format(
                    Locale.ROOT,
                    LINE,
                    remote.label(),
                    cell(ofRemote, RankingRun::hearth),
                    cell(ofRemote, RankingRun::unknownFifth),
                    cell(ofRemote, RankingRun::locality),
                    cell(ofRemote, RankingRun::best),
                    barHolds ? "threshold holds" : holds ? "as the best order" : "MISSED"));
            if (!holds) {
                thresholds.violation(
                        remote.label() + ": fewer than 80 % of remote reads are gone after 30 % of the bytes, and a"
                                + " better order exists");
            }
        });
        return table.toString();
    }

    /** Median and worst, in percent. */
    private static String cell(List<RankingRun> runs, ToDoubleFunction<RankingRun> share) {
        double worst = runs.stream().mapToDouble(share).min().orElse(0);
        return String.format(Locale.ROOT, "%.1f (%.1f)", 100 * Statistics.median(runs, share), 100 * worst);
    }
}
