// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.Compaction.Phase;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompactionTest {

    private static final long ARCHIVED_WITHIN_MS = 135_000;
    private static final long HOUR_MS = Compaction.YOUNG_MS;
    private static final long NOW_MS = 100 * HOUR_MS;

    private static Compaction said(Phase phase, long cells, long reportMs, Compaction before) {
        return new Compaction(phase, phase == Phase.NONE ? 0 : reportMs, cells, Optional.empty())
                .after(before, reportMs, ARCHIVED_WITHIN_MS);
    }

    @Test
    void whatAMinorCompactionReplacedIsAmongTheYoungFilesUntilItIsArchived() {
        Compaction running = said(Phase.RUNNING, 50, NOW_MS, said(Phase.QUEUED, 10, NOW_MS, Compaction.UNKNOWN));
        Compaction ended = said(Phase.NONE, 50, NOW_MS + 10_000, running);

        assertThat(ended.isLikelyToReplace(NOW_MS - 1_000)).isTrue();
        assertThat(ended.isLikelyToReplace(NOW_MS - 2 * HOUR_MS)).as("too old").isFalse();
        assertThat(ended.isLikelyToReplace(NOW_MS + 20_000)).as("flushed since").isFalse();
        Compaction justBefore = said(Phase.NONE, 50, NOW_MS + 10_000 + ARCHIVED_WITHIN_MS - 1, ended);
        assertThat(justBefore).as("no news").isEqualTo(ended);
        Compaction archived = said(Phase.NONE, 50, NOW_MS + 10_000 + ARCHIVED_WITHIN_MS, justBefore);
        assertThat(archived.isLikelyToReplace(NOW_MS - 1_000)).isFalse();
    }

    /** The server's clock ran two hours ahead when it ended. */
    @Test
    void whatEndedByAClockThatWasAheadEndedNow() {
        Compaction running = said(Phase.RUNNING, 50, NOW_MS + 2 * HOUR_MS, Compaction.UNKNOWN);
        Compaction ended = said(Phase.NONE, 50, NOW_MS + 2 * HOUR_MS, running);
        Compaction setRight = said(Phase.NONE, 50, NOW_MS, ended);
        assertThat(setRight.isLikelyToReplace(NOW_MS - 1_000)).isTrue();
        Compaction archived = said(Phase.NONE, 50, NOW_MS + ARCHIVED_WITHIN_MS, setRight);

        assertThat(archived.isLikelyToReplace(NOW_MS - 1_000)).isFalse();
    }

    @Test
    void aMajorCompactionMayHaveReplacedAnyFileFromBefore() {
        Compaction running = said(Phase.ALL_RUNNING, 50, NOW_MS, Compaction.UNKNOWN);
        Compaction ended = said(Phase.NONE, 50, NOW_MS + 10_000, running);

        assertThat(ended.isLikelyToReplace(NOW_MS - 50 * HOUR_MS)).isTrue();
        assertThat(ended.isLikelyToReplace(NOW_MS + 10_001)).isFalse();
    }

    @Test
    void aCompactionThatCameAndWentBetweenTwoReportsIsSeenByItsCells() {
        Compaction before = said(Phase.NONE, 50, NOW_MS, Compaction.UNKNOWN);

        assertThat(said(Phase.NONE, 50, NOW_MS + 3_000, before).replaced()).isEmpty();
        assertThat(said(Phase.NONE, 70, NOW_MS + 3_000, before).isLikelyToReplace(NOW_MS))
                .isTrue();
        assertThat(said(Phase.NONE, 50, NOW_MS + 3_000, said(Phase.ALL_QUEUED, 50, NOW_MS, Compaction.UNKNOWN))
                        .isLikelyToReplace(NOW_MS - 50 * HOUR_MS))
                .as("as many cells as the one before")
                .isTrue();
    }

    @Test
    void theFirstReportOfAServerSaysNothingOfWhatWas() {
        assertThat(said(Phase.NONE, 50, NOW_MS, Compaction.UNKNOWN).replaced()).isEmpty();
    }
}
