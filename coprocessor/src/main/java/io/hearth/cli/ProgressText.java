package io.hearth.cli;

import io.hearth.operate.view.Sizes;

/** How a heal stands, as a line for a person. Pure. */
final class ProgressText {

    private ProgressText() {}

    static String line(Standing now, Rate rate, double target) {
        long toGo = now.bytesTo(target);
        StringBuilder line = new StringBuilder()
                .append(Sizes.bytes(now.healedBytes()))
                .append(" healed, ")
                .append(Sizes.bytes(toGo))
                .append(" to go, ")
                .append(Sizes.bytes(rate.bytesPerSecond()))
                .append("/s");
        if (toGo > 0) {
            rate.secondsFor(toGo)
                    .ifPresent(seconds ->
                            line.append(", ").append(Sizes.time(seconds)).append(" left"));
        }
        return line.append(", locality ")
                .append(Sizes.share(now.firstLocality()))
                .append(" -> ")
                .append(Sizes.share(now.locality()))
                .append(", regions away ")
                .append(now.regionsAway())
                .append(" of ")
                .append(now.regions())
                .append(notReported(now.regionsNotReported()))
                .toString();
    }

    /** What is done and not to be seen in reports; empty where there is nothing like that. */
    static String notReported(int regions) {
        return regions == 0
                ? ""
                : ", local by the NameNode, not reported yet: " + regions
                        + (regions == 1 ? " region (reopening it tells)" : " regions (reopening them tells)");
    }

    static String dryRunLine(Standing now) {
        return Sizes.bytes(now.bytesTo(1)) + " away, " + now.advisedMoves() + " moves of "
                + Sizes.bytes(now.advisedBytes()) + " planned so far, locality " + Sizes.share(now.locality())
                + ", regions away " + now.regionsAway() + " of " + now.regions();
    }
}
