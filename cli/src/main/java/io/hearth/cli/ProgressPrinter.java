// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import java.io.PrintWriter;
import java.util.Optional;

/**
 * Shows how a heal stands: one line that is written over again and again on a terminal, a line every ten seconds elsewhere.
 * Of no region at all there is nothing to show. Not thread-safe.
 */
final class ProgressPrinter {

    /** Where it is shown. */
    enum Style {
        TERMINAL,
        PLAIN,
        /** Plain, of moves that would be made. */
        DRY_RUN
    }

    static final long TERMINAL_EVERY_MS = 1_000;
    static final long PLAIN_EVERY_MS = 10_000;
    private static final String OVER_THE_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final Style style;
    private final double target;
    private final RollingRate rate = new RollingRate();
    private Optional<Long> shownMs = Optional.empty();

    ProgressPrinter(PrintWriter out, Style style, double target) {
        this.out = out;
        this.style = style;
        this.target = target;
    }

    /** Shows it, if it is time. */
    void show(HealStats now, long nowMs) {
        long everyMs = style == Style.TERMINAL ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS;
        if (hasNothing(now) || (shownMs.isPresent() && nowMs - shownMs.get() < everyMs)) {
            return;
        }
        shownMs = Optional.of(nowMs);
        rate.add(now.healedBytes(), nowMs);
        switch (style) {
            case TERMINAL -> out.print(OVER_THE_LINE + ProgressText.line(now, rate, target));
            case PLAIN -> out.println(ProgressText.line(now, rate, target));
            case DRY_RUN -> out.println(ProgressText.dryRunLine(now));
        }
        out.flush();
    }

    /** Shows the last of it. */
    void end(HealStats now, long nowMs) {
        rate.add(now.healedBytes(), nowMs);
        if (hasNothing(now)) {
            return;
        }
        switch (style) {
            case TERMINAL -> out.println(OVER_THE_LINE + ProgressText.line(now, rate, target));
            case PLAIN -> out.println(ProgressText.line(now, rate, target));
            case DRY_RUN -> out.println(ProgressText.dryRunLine(now));
        }
        out.flush();
    }

    private boolean hasNothing(HealStats now) {
        return now.regions() == 0;
    }

    /** A line between, for a person. */
    void say(String line) {
        out.println((style == Style.TERMINAL ? OVER_THE_LINE : "") + line);
        out.flush();
    }
}
