// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of this process, drawn on with the escape sequences that all of them know, and read key by key with the help of
 * {@code stty}. Where there is none it waits and does nothing else. Used by one thread.
 */
public final class Terminal implements Closeable {

    private static final String ALTERNATE_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String MAIN_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_SCREEN = "\u001b[J";
    private static final Size DEFAULT_SIZE = new Size(120, 40);
    private static final long LOOK_FOR_KEYS_MS = 50;

    /** Of the screen, in characters. */
    public record Size(int columns, int lines) {}

    private final boolean drawn;
    private final String settings;
    private final Thread restore = new Thread(this::restore);

    private Terminal(boolean drawn, String settings) {
        this.drawn = drawn;
        this.settings = settings;
    }

    /**
     * The terminal, to be drawn on from now on.
     *
     * @param wanted whether there is one; else nothing is drawn
     */
    public static Terminal open(boolean wanted) {
        String settings = wanted ? stty("-g") : "";
        Terminal terminal = new Terminal(wanted, settings);
        if (wanted) {
            stty("-icanon", "-echo", "min", "0", "time", "0");
            Runtime.getRuntime().addShutdownHook(terminal.restore);
            System.out.print(ALTERNATE_SCREEN);
            System.out.flush();
        }
        return terminal;
    }

    public boolean isDrawn() {
        return drawn;
    }

    public Size size() {
        String[] parts = stty("size").split(" ", 2);
        try {
            int lines = Integer.parseInt(parts[0]);
            int columns = Integer.parseInt(parts[1]);
            return lines > 0 && columns > 0 ? new Size(columns, lines) : DEFAULT_SIZE;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException unknown) {
            return DEFAULT_SIZE;
        }
    }

    /** Draws these lines over what was there, without a flicker. */
    public void draw(List<String> lines, PrintWriter out) {
        out.print(HOME + String.join(REST_OF_LINE + "\r\n", lines) + REST_OF_LINE + REST_OF_SCREEN);
        out.flush();
    }

    /** Waits so long, and says whether the user has had enough meanwhile. */
    public boolean isQuitWithin(long ms) throws IOException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (System.nanoTime() < endNanos) {
            while (drawn && System.in.available() > 0) {
                int key = System.in.read();
                if (key == 'q' || key == 'Q') {
                    return true;
                }
            }
            LiveCluster.pause(Math.min(LOOK_FOR_KEYS_MS, ms));
        }
        return false;
    }

    /** What it prints; empty where there is no such program, or no terminal. */
    private static String stty(String... arguments) {
        try {
            String[] command = new String[arguments.length + 1];
            command[0] = "stty";
            System.arraycopy(arguments, 0, command, 1, arguments.length);
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? text.strip() : "";
        } catch (IOException noSuchProgram) {
            return "";
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private void restore() {
        System.out.print(MAIN_SCREEN);
        System.out.flush();
        if (!settings.isEmpty()) {
            stty(settings);
        }
    }

    @Override
    public void close() {
        if (drawn) {
            Runtime.getRuntime().removeShutdownHook(restore);
            restore();
        }
    }
}
