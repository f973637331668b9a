// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Where the demo prints. Implementations are safe to use from several threads. */
public interface DemoConsole {

    /** Prints lines as they are; an empty text is an empty line. */
    void print(String text);

    /** Begins a phase. */
    void phase(String title);

    /** Begins a piece of work; {@code unit} is written after the numbers, such as {@code MB}. */
    Progress progress(String what, long total, String unit);

    /** The text as this console shows what is good, in colour where there is colour. */
    String good(String text);

    /** The text as this console shows what is bad. */
    String bad(String text);

    /** One piece of work that is under way, from 0 to a known total; closing it ends its bar. */
    interface Progress extends AutoCloseable {

        /** How much is done now, and a few words on what is happening. */
        void update(long done, String note);

        @Override
        void close();
    }

    /**
     * A console for a file or a pipe: whole lines only, and of each piece of work at most one line every
     * few seconds and one at its end.
     */
    public static final class PlainConsole implements DemoConsole {

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

    /** A console for a terminal: a bar that moves in place, and a little colour unless {@code NO_COLOR} is set. */
    public static final class TerminalConsole implements DemoConsole {
        private static final String ERASE_LINE = "\r\u001b[K";

        private final PrintStream out;
        private final boolean colour;

        /** Prints to {@code out}, which is a terminal. */
        public TerminalConsole(PrintStream out, boolean colour) {
            this.out = out;
            this.colour = colour;
        }

        @Override
        public synchronized void print(String text) {
            out.print(ERASE_LINE);
            out.println(text);
            out.flush();
        }

        @Override
        public void phase(String title) {
            print("");
            print(paint("1", title));
        }

        @Override
        public Progress progress(String what, long total, String unit) {
            ProgressBar bar = new ProgressBarBuilder()
                    .setTaskName("   " + what)
                    .setInitialMax(total)
                    .setUnit(" " + unit, 1)
                    .setUpdateIntervalMillis(250)
                    .hideEta()
                    .setStyle(
                            Charset.defaultCharset().name().startsWith("UTF")
                                    ? ProgressBarStyle.UNICODE_BLOCK
                                    : ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(out))
                    .build();
            return new Bar(bar);
        }

        @Override
        public String good(String text) {
            return paint("32", text);
        }

        @Override
        public String bad(String text) {
            return paint("1;31", text);
        }

        private String paint(String code, String text) {
            return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
        }

        private record Bar(ProgressBar bar) implements Progress {

            @Override
            public void update(long done, String note) {
                bar.stepTo(done);
                bar.setExtraMessage(note);
            }

            @Override
            public void close() {
                bar.close();
            }
        }
    }
}
