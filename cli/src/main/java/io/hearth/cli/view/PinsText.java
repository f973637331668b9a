package io.hearth.cli.view;

import java.util.ArrayList;
import java.util.List;

/** The regions that are not to be moved now, and why. Pure. */
public final class PinsText {

    private PinsText() {}

    public static List<String> of(List<ClusterSummary.Pin> pins) {
        List<String> lines = new ArrayList<>();
        if (pins.isEmpty()) {
            lines.add("No region is pinned.");
        }
        pins.forEach(pin -> lines.add(ViewText.format(
                "%-32s %s on %s, since %s, until %s at the latest: %s (%s)",
                pin.region(),
                pin.table(),
                pin.server(),
                ViewText.dayAndTime(pin.sinceMs()),
                ViewText.dayAndTime(pin.untilMs()),
                pin.why(),
                pin.who())));
        return lines;
    }
}
