// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what is found as it is found, and remembers what does not hold. Used by one thread. */
final class ExpectationLog {

    private final PrintWriter out;
    private final List<String> failed = new ArrayList<>();

    ExpectationLog(PrintWriter out) {
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
            failed.add(what);
        }
    }

    /** What was expected and is not so. */
    List<String> failed() {
        return List.copyOf(failed);
    }
}
