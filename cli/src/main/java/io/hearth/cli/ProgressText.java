// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.view.HumanFormat;
import io.hearth.cli.view.NotReportedText;

/** How a heal stands, as a line for a person. Pure. */
final class ProgressText {

    private ProgressText() {}

    static String line(HealStats now, RollingRate rate, double target) {
        long toGo = now.bytesTo(target);
        StringBuilder line = new StringBuilder()
                .append(HumanFormat.bytes(now.healedBytes()))
                .append(" healed, ")
                .append(HumanFormat.bytes(toGo))
                .append(" to go, ")
                .append(HumanFormat.bytes(rate.bytesPerSecond()))
                .append("/s");
        if (toGo > 0) {
            rate.secondsFor(toGo)
                    .ifPresent(seconds ->
                            line.append(", ").append(HumanFormat.time(seconds)).append(" left"));
        }
        return line.append(", locality ")
                .append(HumanFormat.share(now.firstLocality()))
                .append(" -> ")
                .append(HumanFormat.share(now.locality()))
                .append(", remote regions ")
                .append(now.remoteRegions())
                .append(" of ")
                .append(now.regions())
                .append(NotReportedText.of(now.regionsNotReported()))
                .toString();
    }

    static String dryRunLine(HealStats now) {
        return HumanFormat.bytes(now.bytesTo(1)) + " remote, " + now.advisedMoves() + " moves of "
                + HumanFormat.bytes(now.advisedBytes()) + " planned so far, locality "
                + HumanFormat.share(now.locality())
                + ", remote regions " + now.remoteRegions() + " of " + now.regions();
    }
}
