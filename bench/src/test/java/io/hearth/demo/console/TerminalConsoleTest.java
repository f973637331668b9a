// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.demo.console.DemoConsole.TerminalConsole;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class TerminalConsoleTest {

    /** A colour begins with ESC [ and ends with m; erasing a line is none. */
    private static final String COLOUR = "(?s).*\u001b\\[[0-9;]*m.*";

    private static String printed(boolean colour) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DemoConsole console = new TerminalConsole(new PrintStream(bytes, true, UTF_8), colour);
        console.phase("Start");
        console.print(console.good("PASS") + " " + console.bad("FAIL"));
        return bytes.toString(UTF_8);
    }

    /** With NO_COLOR set: the same words and none of the colours. */
    @Test
    void nothingIsColouredUnlessColoursAreWanted() {
        assertThat(printed(true)).matches(COLOUR).contains("Start", "\u001b[32mPASS", "\u001b[1;31mFAIL");
        assertThat(printed(false)).doesNotMatch(COLOUR).contains("Start", "PASS FAIL");
    }
}
