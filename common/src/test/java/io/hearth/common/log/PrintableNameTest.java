// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableNameTest {

    @Test
    void whatIsPrintedStays() {
        assertThat(PrintableName.of("ops/host1.example.com@REALM")).isEqualTo("ops/host1.example.com@REALM");
        assertThat(PrintableName.of("Jürgen Müller 株 \uD83D\uDE00")).isEqualTo("Jürgen Müller 株 \uD83D\uDE00");
    }

    @Test
    void nothingBeginsALineOrSteersATerminalOrHides() {
        assertThat(PrintableName.of("bob\n2026-11-23 WARN forged")).isEqualTo("bob?2026-11-23 WARN forged");
        assertThat(PrintableName.of("bob\r\t\u0000\u001b[2Jx")).isEqualTo("bob????[2Jx");
        assertThat(PrintableName.of("C1 \u009b31m, next line \u0085, separators \u2028\u2029"))
                .isEqualTo("C1 ?31m, next line ?, separators ??");
        assertThat(PrintableName.of("from the right \u202e, of no width \u200b, half a pair \ud83d"))
                .isEqualTo("from the right ?, of no width ?, half a pair ?");
    }

    @Test
    void thereIsAWordForNobody() {
        assertThat(PrintableName.of(null)).isEqualTo("nobody");
    }
}
