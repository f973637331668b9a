// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

import io.hearth.demo.console.DemoConsole.Progress;
import java.io.PrintStream;
import java.nio.charset.Charset;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A console for a terminal: a bar that moves in place, and a little colour unless {@code NO_COLOR} is set. */
public final class TerminalConsole implements DemoConsole {
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
