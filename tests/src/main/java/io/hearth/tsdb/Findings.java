package io.hearth.tsdb;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what is found as it is found, and remembers what does not hold. Used by one thread. */
final class Findings {

    private final PrintWriter out;
    private final List<String> broken = new ArrayList<>();

    Findings(PrintWriter out) {
        this.out = out;
    }

    void say(String format, Object... values) {
        out.println(values.length == 0 ? format : String.format(Locale.ROOT, format, values));
        out.flush();
    }

    /** Something that has to be so. */
    void expect(boolean holds, String what, String found) {
        say("   %s  %s: %s", holds ? "HOLDS " : "BROKEN", what, found);
        if (!holds) {
            broken.add(what);
        }
    }

    /** What was expected and is not so. */
    List<String> broken() {
        return List.copyOf(broken);
    }
}
