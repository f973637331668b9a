// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.tracking.InFlightMoves.UnconfirmedRuns;
import org.junit.jupiter.api.Test;

class UnconfirmedRunsTest {

    private final UnconfirmedRuns runs = new UnconfirmedRuns();

    @Test
    void onlyTheFirstMoveThatWasMadeIsTheFirst() {
        runs.planned(1);

        assertThat(runs.seen(1)).isTrue();
        assertThat(runs.seen(1)).isFalse();
        assertThat(runs.seen(2)).as("never planned").isFalse();
    }

    @Test
    void movesThatWereNotMadeAreCountedAsLongAsNothingWas() {
        runs.planned(1);
        runs.planned(2);
        assertThat(runs.notMade(1)).isTrue();
        assertThat(runs.notMade(1)).isTrue();
        assertThat(runs.seen(2)).isTrue();

        assertThat(runs.notMade(2)).isFalse();
        assertThat(runs.over(1)).isEqualTo(2);
        assertThat(runs.over(1)).as("forgotten").isZero();
        assertThat(runs.over(2)).isZero();
    }

    @Test
    void aPlanThatIsHandedOverTwiceKeepsItsCount() {
        runs.planned(1);
        runs.notMade(1);
        runs.planned(1);

        assertThat(runs.over(1)).isEqualTo(1);
    }

    @Test
    void ofAnotherMastersRunsThoseInFlightAreAdded() {
        UnconfirmedRuns older = new UnconfirmedRuns();
        older.planned(1);
        older.notMade(1);
        older.planned(2);
        older.planned(3);
        older.notMade(3);
        runs.planned(3);

        runs.mergeOlder(older, run -> run != 2);

        assertThat(runs.over(1)).isEqualTo(1);
        assertThat(runs.seen(2)).as("of which no move is in flight").isFalse();
        assertThat(runs.over(3)).as("this master knows better").isZero();
        assertThat(older.over(1)).as("the other's are left as they are").isEqualTo(1);
    }
}
