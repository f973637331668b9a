// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static io.hearth.chaos.SoakRows.Verdict.EXPECTED;
import static io.hearth.chaos.SoakRows.Verdict.LOST;
import static io.hearth.chaos.SoakRows.Verdict.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.chaos.SoakRows.Verdict;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakRowsTest {

    private static final int ROW = 7;

    /** A row of which the third write was acknowledged before the read, and the fifth sent before its answer; 0: it is not there. */
    @ParameterizedTest
    @CsvSource({"0, LOST", "1, LOST", "2, LOST", "3, EXPECTED", "4, EXPECTED", "5, EXPECTED", "6, WRONG", "99, WRONG"})
    void aReadFindsAtLeastWhatWasAcknowledgedAndAtMostWhatWasSent(int found, Verdict verdict) {
        assertThat(SoakRows.judge(ROW, 3, 5, valueOf(found))).isEqualTo(verdict);
    }

    @Test
    void aRowThatNobodyWroteIsNotThere() {
        assertThat(SoakRows.judge(ROW, 0, 0, null)).isEqualTo(EXPECTED);
        assertThat(SoakRows.judge(ROW, 0, 0, valueOf(1))).isEqualTo(WRONG);
        assertThat(SoakRows.judge(ROW, 0, 1, valueOf(1)))
                .as("sent, without an answer")
                .isEqualTo(EXPECTED);
    }

    @Test
    void everyByteOfAValueIsChecked() {
        byte[] value = SoakRows.value(ROW, 4);
        for (int at = 0; at < value.length; at++) {
            byte[] flipped = value.clone();
            flipped[at] ^= 1;
            assertThat(SoakRows.judge(ROW, 3, 5, flipped)).as("byte " + at).isEqualTo(WRONG);
            assertThat(SoakRows.judge(ROW, 3, 5, Arrays.copyOf(value, at)))
                    .as("its first " + at)
                    .isEqualTo(WRONG);
        }
    }

    @Test
    void theValueOfAnotherRowIsWrong() {
        assertThat(SoakRows.judge(ROW, 3, 5, SoakRows.value(ROW + 1, 4))).isEqualTo(WRONG);
    }

    @Test
    void aRowIsJudgedByWhatWasSentAndAcknowledged() {
        SoakRows rows = new SoakRows();
        assertThat(rows.begin(ROW, 0, valueOf(3))).isEqualTo(EXPECTED);
        assertThat(rows.acknowledged(ROW)).isEqualTo(3);

        int generation = rows.send(ROW);
        assertThat(generation).isEqualTo(4);
        assertThat(rows.acknowledged(ROW)).isEqualTo(3);
        assertThat(rows.judge(ROW, 3, valueOf(4))).isEqualTo(EXPECTED);
        assertThat(rows.judge(ROW, 3, valueOf(5))).isEqualTo(WRONG);

        rows.acknowledge(ROW, generation);
        assertThat(rows.judge(ROW, rows.acknowledged(ROW), valueOf(3))).isEqualTo(LOST);
        assertThat(rows.judge(ROW, rows.acknowledged(ROW), valueOf(4))).isEqualTo(EXPECTED);
    }

    /** Of the row three writes had been acknowledged when a soak was ended. */
    @ParameterizedTest
    @CsvSource({"0, LOST", "1, LOST", "2, LOST", "3, EXPECTED", "4, EXPECTED"})
    void whatWasAcknowledgedBeforeAnInterruptionIsNotForgotten(int found, Verdict verdict) {
        SoakRows rows = new SoakRows();

        assertThat(rows.begin(ROW, 3, valueOf(found))).isEqualTo(verdict);
        assertThat(rows.judge(ROW, rows.acknowledged(ROW), valueOf(found)))
                .as("again: it is lost once")
                .isEqualTo(EXPECTED);
        assertThat(rows.send(ROW)).as("newer than any before").isEqualTo(Math.max(3, found) + 1);
    }

    @Test
    void aValueThatNobodyWroteIsWrongFromTheBeginning() {
        assertThat(new SoakRows().begin(ROW, 0, new byte[] {1, 2})).isEqualTo(WRONG);
        assertThat(new SoakRows().begin(ROW, 0, null)).isEqualTo(EXPECTED);
    }

    @Test
    void whatWasAcknowledgedOfEachRowIsAListByRow() {
        SoakRows rows = new SoakRows();
        assertThat(rows.acknowledged()).isEqualTo(SoakRows.NONE_ACKNOWLEDGED);

        rows.acknowledge(ROW, rows.send(ROW));
        assertThat(rows.acknowledged()).hasSize(SoakRows.COUNT).startsWith(0, 0, 0, 0, 0, 0, 0, 1, 0);
    }

    private static byte @Nullable [] valueOf(int generation) {
        return generation == 0 ? null : SoakRows.value(ROW, generation);
    }
}
