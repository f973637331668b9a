// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

import io.hearth.demo.console.DemoConsole.Progress;
import java.io.PrintStream;
import java.util.function.LongSupplier;

/**
 * A console for a file or a pipe: whole lines only, and of each piece of work at most one line every
 * few seconds and one at its end.
 */
public final class PlainConsole implements DemoConsole {

    /** Least time between two lines of the same piece of work. */
    public static final long INTERVAL_MS = 5_000;

    private final PrintStream out;
    private final LongSupplier clockMs;

    /** Prints to {@code out}; {@code clockMs} is a clock in milliseconds that never goes back. */
    public PlainConsole(PrintStream out, LongSupplier clockMs) {
        this.out = out;
        this.clockMs = clockMs;
    }

    @Override
    public void print(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void phase(String title) {
        print("");
        print("== " + title);
    }

    @Override
    public Progress progress(String what, long total, String unit) {
        return new Lines(what, total, unit);
    }

    @Override
    public String good(String text) {
        return text;
    }

    @Override
    public String bad(String text) {
        return text;
    }

    private final class Lines implements Progress {
        private final String what;
        private final long total;
        private final String unit;
        private final long startMs = clockMs.getAsLong();
        private long nextLineMs = startMs + INTERVAL_MS;
        private long done;
        private String note = "";

        Lines(String what, long total, String unit) {
            this.what = what;
            this.total = total;
            this.unit = unit;
        }

        @Override
        public synchronized void update(long nowDone, String nowNote) {
            done = nowDone;
            note = nowNote;
            long nowMs = clockMs.getAsLong();
            if (nowMs >= nextLineMs) {
                nextLineMs = nowMs + INTERVAL_MS;
                print(line());
            }
        }

        @Override
        public synchronized void close() {
            print(line() + ", " + (clockMs.getAsLong() - startMs) / 1000 + " s");
        }

        private String line() {
            String numbers = "   " + what + ": " + done + " of " + total + " " + unit;
            return note.isEmpty() ? numbers : numbers + ", " + note;
        }
    }
}
