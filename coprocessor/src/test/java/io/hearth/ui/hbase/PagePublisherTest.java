// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When the page is made. */
class PagePublisherTest {

    private static final long SAMPLE_MS = 60_000;

    private final PagePublisher.Turns turns = new PagePublisher.Turns();

    @Test
    void itIsMadeAsOftenAsHistoryIsSampledAndEachFiveSecondsForAViewer() {
        assertThat(turns.isDue(0, false, SAMPLE_MS, 1)).isTrue();
        turns.begin(0);

        assertThat(turns.isDue(59_999, false, SAMPLE_MS, 1)).isFalse();
        assertThat(turns.isDue(60_000, false, SAMPLE_MS, 1)).isTrue();
        assertThat(turns.isDue(4_999, true, SAMPLE_MS, 1)).isFalse();
        assertThat(turns.isDue(5_000, true, SAMPLE_MS, 1)).isTrue();
        assertThat(turns.isDue(1_000, true, 1_000, 1)).isTrue();
        assertThat(turns.isDue(79_999, true, SAMPLE_MS, 16)).isFalse();
        assertThat(turns.isDue(80_000, true, SAMPLE_MS, 16)).isTrue();
    }

    /** Broken (they wait like others): bin/hearth status, which waits for 20 s, says that nothing was observed. */
    @Test
    void whoComesAfterATurnThatWasLeftOutWaitsForNoOther() {
        turns.begin(0);
        turns.leaveOut();

        assertThat(turns.isDue(1, false, SAMPLE_MS, 16)).isFalse();
        assertThat(turns.isDue(1, true, SAMPLE_MS, 16)).isTrue();
        turns.begin(1);
        assertThat(turns.isDue(80_000, true, SAMPLE_MS, 16)).as("it was made").isFalse();
    }
}
