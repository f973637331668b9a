// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.RegionFiles.FilePart;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionFilesTest {

    @ParameterizedTest(name = "bytes {0} to {0}+{1} of {2}: first half {3}, second half {4}")
    @CsvSource({
        "0, 100, 400, true, false",
        "100, 100, 400, true, false",
        "200, 100, 400, false, true",
        "300, 100, 400, false, true",
        "100, 100, 300, true, true",
        "0, 128, 128, true, true",
        "128, 128, 300, true, true",
        "256, 44, 300, false, true",
    })
    void aHalfByLength(long offset, long length, long file, boolean first, boolean second) {
        assertThat(FilePart.FIRST_HALF.covers(offset, length, file)).isEqualTo(first);
        assertThat(FilePart.SECOND_HALF.covers(offset, length, file)).isEqualTo(second);
        assertThat(FilePart.WHOLE.covers(offset, length, file)).isTrue();
    }

    @Test
    void twoHalvesAreAWhole() {
        assertThat(FilePart.FIRST_HALF.with(FilePart.SECOND_HALF)).isEqualTo(FilePart.WHOLE);
        assertThat(FilePart.FIRST_HALF.with(FilePart.FIRST_HALF)).isEqualTo(FilePart.FIRST_HALF);
    }
}
