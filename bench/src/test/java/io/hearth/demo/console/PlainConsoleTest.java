// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.demo.console.DemoConsole.PlainConsole;
import io.hearth.demo.console.DemoConsole.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PlainConsoleTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final AtomicLong clockMs = new AtomicLong(1_000);
    private final DemoConsole console = new PlainConsole(new PrintStream(bytes, true, UTF_8), clockMs::get);

    @Test
    void work_under_way_prints_a_line_every_few_seconds_and_one_at_its_end() {
        try (Progress progress = console.progress("load", 220, "MB")) {
            for (int second = 1; second <= 12; second++) {
                clockMs.addAndGet(1_000);
                progress.update(second * 10L, second > 9 ? "slower" : "");
            }
        }

        assertThat(lines())
                .containsExactly(
                        "   load: 50 of 220 MB",
                        "   load: 100 of 220 MB, slower",
                        "   load: 120 of 220 MB, slower, 12 s");
    }

    @Test
    void nothing_moves_the_cursor_and_nothing_is_coloured() {
        console.phase("Start");
        console.print(console.good("PASS") + " " + console.bad("FAIL"));

        assertThat(lines()).containsExactly("", "== Start", "PASS FAIL");
        assertThat(bytes.toString(UTF_8)).doesNotContain("\u001b", "\r");
    }

    private List<String> lines() {
        return bytes.toString(UTF_8).lines().toList();
    }
}
