// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.heal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The HMaster is asked whenever the test says that the other thread has its turn. */
class BrakeOfMasterTest {

    private static final ApiResponse BRAKED =
            ApiResponse.json(200, "{\"braked\":true,\"done\":\"x\",\"why\":\"the SLO watch brakes: ops1 (gets)\"}");
    private static final ApiResponse RELEASED =
            ApiResponse.json(200, "{\"braked\":false,\"done\":\"Nothing is braked.\"}");

    private final Queue<Runnable> asking = new ArrayDeque<>();
    private boolean isSilent;
    private Optional<ApiResponse> answer = Optional.of(BRAKED);
    private long nowMs = 7;

    private final BrakeOfMaster brake = new BrakeOfMaster(this::ask, asking::add, () -> nowMs);

    private Optional<ApiResponse> ask() throws IOException {
        if (isSilent) {
            throw new IOException("no master");
        }
        return answer;
    }

    /** The one question that there is has been answered. */
    private Optional<String> answered() {
        assertThat(asking).hasSize(1);
        asking.remove().run();
        return brake.get();
    }

    private void beBraked() {
        assertThat(brake.get()).isEmpty();
        assertThat(answered()).contains("the SLO watch brakes: ops1 (gets)");
    }

    @Test
    void itIsAskedEveryTenSeconds() {
        beBraked();
        answer = Optional.of(RELEASED);
        nowMs += 9_999;
        assertThat(brake.get()).isPresent();
        assertThat(asking).isEmpty();
        nowMs += 1;
        assertThat(brake.get()).as("until it has answered").isPresent();
        assertThat(answered()).isEmpty();
    }

    @Test
    void aMasterThatIsSilentBrakesForAMinute() {
        beBraked();
        isSilent = true;
        nowMs += 10_000;
        assertThat(brake.get()).isPresent();
        assertThat(answered()).isPresent();
        nowMs += 49_999;
        assertThat(brake.get()).isPresent();
        assertThat(answered()).isPresent();
        nowMs += 1;
        assertThat(brake.get()).isEmpty();
    }

    /** As after the HMaster's machine has gone: HBase's client tries for minutes. */
    @Test
    void nobodyWaitsForAMasterThatHangs() {
        beBraked();
        nowMs += 10_000;
        assertThat(brake.get()).isPresent();
        nowMs += 50_000;
        assertThat(brake.get()).isEmpty();
        assertThat(answered()).as("what it says in the end").isPresent();
    }

    @Test
    void aMasterWithoutHearthBrakesNothing() {
        answer = Optional.empty();
        assertThat(brake.get()).isEmpty();
        assertThat(answered()).isEmpty();
    }

    @Test
    void anAnswerThatIsNoneBrakesNothing() {
        answer = Optional.of(ApiResponse.json(200, "it broke"));
        assertThat(brake.get()).isEmpty();
        assertThat(answered()).isEmpty();
    }
}
