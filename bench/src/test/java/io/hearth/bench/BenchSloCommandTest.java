// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchSloCommandTest {

    @ParameterizedTest
    @CsvSource({
        "--servers 0, --servers is 0; allowed are 1 to 10000",
        "--regions 1001, --regions is 1001; allowed are 0 to 1000",
        "--seconds 4, --seconds is 4; allowed are 5 to 86400",
        "--days 0, --days is 0; allowed are 1 to 60",
        "--heap much, --heap is much; it must be a size like 512m"
    })
    void anArgumentThatMakesNoSenseIsRefused(String options, String message) {
        StringWriter text = new StringWriter();
        PrintWriter err = new PrintWriter(text);

        int code = BenchCommand.commandLine().setErr(err).execute(("slo " + options).split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(text.toString()).contains(message);
    }
}
