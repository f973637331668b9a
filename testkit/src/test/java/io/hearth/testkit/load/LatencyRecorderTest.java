// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.testkit.load.LatencyRecorder.LatencySummary;
import io.hearth.testkit.load.LatencyRecorder.NanoInterval;
import io.hearth.testkit.load.Workload.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {

    private static final long START = 1_000_000_000_000L;

    private final LatencyRecorder latencies = new LatencyRecorder(START);

    private static long at(double seconds) {
        return START + (long) (seconds * 1e9);
    }

    /** A hundred a second for ten seconds; the server stands still from second 5 to 6 and takes a millisecond else. */
    private void aPause(boolean fromWhenTheyWereDue) {
        for (int request = 0; request < 1_000; request++) {
            double due = request / 100.0;
            double sent = due >= 5 && due < 6 ? 6 : due;
            latencies.add(Operation.GET, at(fromWhenTheyWereDue ? due : sent), at(sent + 0.001));
        }
    }

    @Test
    void whoHadToWaitBecauseOthersDidIsCountedWithTheWholeWait() {
        aPause(true);

        assertThat(latencies.of(Operation.GET).p99Ms()).isCloseTo(901, within(12.0));
        assertThat(latencies.of(Operation.GET).maxMs()).isCloseTo(1_001, within(12.0));
        assertThat(latencies.of(Operation.GET).p50Ms()).isCloseTo(1, within(0.02));
    }

    @Test
    void fromWhenTheyWereSentThePauseWouldNotBeSeen() {
        aPause(false);

        assertThat(latencies.of(Operation.GET).maxMs()).isCloseTo(1, within(0.02));
    }

    @Test
    void theShareInTimeIsThatOfAllKindsOfRequests() {
        aPause(true);
        latencies.add(Operation.PUT, at(5.95), at(6));

        assertThat(latencies.shareWithin(50, new NanoInterval(at(0), at(5)))).isEqualTo(1);
        assertThat(latencies.shareWithin(100, new NanoInterval(at(5), at(6))))
                .as("the last tenth of a second, and the put")
                .isCloseTo(11 / 101.0, within(0.02));
        assertThat(latencies.shareWithin(50, new NanoInterval(at(20), at(30))))
                .as("none were due")
                .isEqualTo(1);
    }

    @Test
    void whatFailsOrIsNeverAnsweredIsNotInTime() {
        for (int request = 0; request < 400; request++) {
            double due = request / 100.0;
            latencies.sent(at(due));
            if (due < 1 || due >= 3 || (due >= 2 && request % 4 == 0)) {
                latencies.add(Operation.GET, at(due), at(due + 0.001));
            }
        }

        assertThat(inSecond(0)).isEqualTo(1);
        assertThat(inSecond(1)).as("no answer").isZero();
        assertThat(inSecond(2)).isEqualTo(0.25);
        assertThat(inSecond(3)).isEqualTo(1);
        assertThat(inSecond(4)).as("none were due").isEqualTo(1);
    }

    private double inSecond(int second) {
        return latencies.shareWithin(50, new NanoInterval(at(second), at(second + 1)));
    }

    @Test
    void timesAreTakenTogether() {
        aPause(true);

        LatencySummary quiet = latencies.within(
                Operation.GET,
                List.of(
                        new NanoInterval(at(0), at(2)),
                        new NanoInterval(at(6), at(9)),
                        new NanoInterval(at(20), at(30))));
        assertThat(quiet.requests()).isEqualTo(500);
        assertThat(quiet.maxMs()).isCloseTo(1, within(0.02));
        assertThat(latencies.within(Operation.GET, List.of()).requests()).isZero();
    }

    @Test
    void aRequestCountsInTheTimeInWhichItWasDueAndForItsKind() {
        aPause(true);

        assertThat(latencies.between(Operation.GET, at(0), at(5)).requests()).isEqualTo(500);
        assertThat(latencies.between(Operation.GET, at(0), at(5)).maxMs()).isCloseTo(1, within(0.02));
        assertThat(latencies.between(Operation.GET, at(5), at(6)).p50Ms()).isCloseTo(501, within(10.0));
        assertThat(latencies.between(Operation.PUT, at(0), at(10))).isEqualTo(new LatencySummary(0, 0, 0, 0, 0));
        assertThat(latencies.between(Operation.GET, at(5), at(5)).requests()).isZero();
    }
}
