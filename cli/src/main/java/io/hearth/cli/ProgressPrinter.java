// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.view.ViewText;
import io.hearth.common.config.HumanFormat;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

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
            case TERMINAL -> out.print(OVER_THE_LINE + line(now, rate, target));
            case PLAIN -> out.println(line(now, rate, target));
            case DRY_RUN -> out.println(dryRunLine(now));
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
            case TERMINAL -> out.println(OVER_THE_LINE + line(now, rate, target));
            case PLAIN -> out.println(line(now, rate, target));
            case DRY_RUN -> out.println(dryRunLine(now));
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

    /** How a heal stands, as a line for a person. */
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
                .append(ViewText.regionsNotReported(now.regionsNotReported()))
                .toString();
    }

    private static String dryRunLine(HealStats now) {
        return HumanFormat.bytes(now.bytesTo(1)) + " remote, " + now.advisedMoves() + " moves of "
                + HumanFormat.bytes(now.advisedBytes()) + " planned so far, locality "
                + HumanFormat.share(now.locality())
                + ", remote regions " + now.remoteRegions() + " of " + now.regions();
    }

    /** Bytes per second over the last minute. Not thread-safe. */
    static final class RollingRate {

        private static final long WINDOW_MS = 60_000;

        private record Sample(long atMs, long bytes) {}

        private final Deque<Sample> samples = new ArrayDeque<>();

        /** Takes in how many bytes it is in all by now. */
        void add(long bytes, long nowMs) {
            samples.addLast(new Sample(nowMs, bytes));
            while (samples.size() > 2 && nowMs - samples.getFirst().atMs() > WINDOW_MS) {
                samples.removeFirst();
            }
        }

        long bytesPerSecond() {
            if (samples.isEmpty()) {
                return 0;
            }
            long ms = samples.getLast().atMs() - samples.getFirst().atMs();
            return ms <= 0 ? 0 : (samples.getLast().bytes() - samples.getFirst().bytes()) * 1_000 / ms;
        }

        /** How long so many bytes take at this rate; empty where there is none. */
        OptionalLong secondsFor(long bytes) {
            long rate = bytesPerSecond();
            return rate <= 0 ? OptionalLong.empty() : OptionalLong.of((bytes + rate - 1) / rate);
        }
    }
}
