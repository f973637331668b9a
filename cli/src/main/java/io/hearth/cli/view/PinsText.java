// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import java.util.List;
import java.util.Optional;

/** The regions that are not to be moved now, and why. Pure. */
public final class PinsText {

    private PinsText() {}

    public static List<String> of(List<ClusterSummary.Pin> pins) {
        return pins.isEmpty() ? List.of("No region is pinned.") : table(pins).lines("");
    }

    /** That there are more; empty where there are none. */
    public static Optional<String> leftOut(int pins) {
        return pins == 0
                ? Optional.empty()
                : Optional.of(ViewText.count(pins, "more pin") + ", which only the bean HearthBalancerView lists");
    }

    /** A row for each region; the times of CSV are milliseconds since 1970. */
    public static Table table(List<ClusterSummary.Pin> pins) {
        return new Table(
                List.of(
                        Table.Column.ofText("region", "REGION"),
                        Table.Column.ofText("table", "TABLE"),
                        Table.Column.ofText("server", "SERVER"),
                        Table.Column.ofText("sinceMs", "SINCE"),
                        Table.Column.ofText("untilMs", "AT MOST UNTIL"),
                        Table.Column.ofText("who", "WHO"),
                        Table.Column.ofText("why", "WHY"),
                        Table.Column.inCsv("pin")),
                pins.stream()
                        .map(pin -> List.of(
                                Table.Cell.of(pin.region()),
                                Table.Cell.of(pin.table()),
                                Table.Cell.of(pin.server()),
                                time(pin.sinceMs()),
                                time(pin.untilMs()),
                                Table.Cell.of(pin.who()),
                                Table.Cell.of(pin.why()),
                                Table.Cell.inCsv(pin.kind())))
                        .toList());
    }

    private static Table.Cell time(long ms) {
        return new Table.Cell(ViewText.dayAndTime(ms), String.valueOf(ms));
    }
}
