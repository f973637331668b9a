// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.engine.BrakeLeases.RefusedLeaseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrakeLeasesTest {

    private static final long NOW_MS = -7_000;

    private final BrakeLeases leases = new BrakeLeases();

    @Test
    void aLeaseEndsByItself() throws RefusedLeaseException {
        assertThat(leases.inForce(NOW_MS)).isEmpty();

        leases.renew("ops1", "fast burn of gets", 30, NOW_MS);

        assertThat(leases.inForce(NOW_MS)).contains("the SLO watch brakes: ops1 (fast burn of gets)");
        assertThat(leases.inForce(NOW_MS + 29_999)).isPresent();
        assertThat(leases.inForce(NOW_MS + 30_000)).isEmpty();
    }

    @Test
    void renewedItLastsFromThenOnWithTheLastReason() throws RefusedLeaseException {
        leases.renew("ops1", "gets", 60, NOW_MS);
        leases.renew("ops1", "gets and puts", 20, NOW_MS + 50_000);

        assertThat(leases.inForce(NOW_MS + 69_999)).contains("the SLO watch brakes: ops1 (gets and puts)");
        assertThat(leases.inForce(NOW_MS + 70_000)).isEmpty();
    }

    @Test
    void ofTwoBothAreNamedAndEitherBrakes() throws RefusedLeaseException {
        leases.renew("ops2", "puts", 60, NOW_MS);
        leases.renew("ops1", "gets", 10, NOW_MS);

        assertThat(leases.inForce(NOW_MS)).contains("the SLO watch brakes: ops1 (gets) and ops2 (puts)");
        assertThat(leases.inForce(NOW_MS + 10_000)).contains("the SLO watch brakes: ops2 (puts)");
    }

    @Test
    void zeroSecondsEndTheOwnLeaseAndNoOther() throws RefusedLeaseException {
        leases.renew("ops1", "gets", 60, NOW_MS);
        leases.renew("ops2", "puts", 60, NOW_MS);
        leases.renew("ops1", "", 0, NOW_MS);

        assertThat(leases.inForce(NOW_MS)).contains("the SLO watch brakes: ops2 (puts)");
        leases.renew("ops3", "", 0, NOW_MS);
        assertThat(leases.inForce(NOW_MS)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 61, Long.MAX_VALUE, Long.MIN_VALUE})
    void aLeaseOfAnotherLengthIsRefusedAndTheOneBeforeHolds(long seconds) throws RefusedLeaseException {
        leases.renew("ops1", "gets", 5, NOW_MS);

        assertThatThrownBy(() -> leases.renew("ops1", "gets", seconds, NOW_MS + 1))
                .isInstanceOf(RefusedLeaseException.class)
                .hasMessage("leaseSeconds must be 0 to 60 and is " + seconds + ". Renew the lease before it ends.");
        assertThat(leases.inForce(NOW_MS + 4_999)).isPresent();
        assertThat(leases.inForce(NOW_MS + 5_000)).isEmpty();
    }

    @Test
    void whatSomebodyElseChoseIsPrintableAndShort() throws RefusedLeaseException {
        leases.renew("ops\n1", "a\u001b[2J" + "b".repeat(300), 60, NOW_MS);

        assertThat(leases.inForce(NOW_MS)).contains("the SLO watch brakes: ops?1 (a?[2J" + "b".repeat(195) + "...)");
        leases.renew("ops\n1", " ", 60, NOW_MS);
        assertThat(leases.inForce(NOW_MS)).contains("the SLO watch brakes: ops?1 (no reason given)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "  ",
                "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789x"
            })
    void anInstanceNeedsAName(String instance) {
        assertThatThrownBy(() -> leases.renew(instance, "gets", 60, NOW_MS))
                .isInstanceOf(RefusedLeaseException.class)
                .hasMessage("instance must have 1 to 100 characters, the name of the watch that asks.");
        assertThat(leases.inForce(NOW_MS)).isEmpty();
    }

    @Test
    void thereAreNeverMoreThanSixteen() throws RefusedLeaseException {
        for (int instance = 10; instance < 26; instance++) {
            leases.renew("i" + instance, "gets", instance == 10 ? 1 : 60, NOW_MS);
        }

        assertThatThrownBy(() -> leases.renew("late", "gets", 60, NOW_MS))
                .isInstanceOf(RefusedLeaseException.class)
                .hasMessage("There are 16 leases of other instances in force: i10, i11, i12, i13, i14, i15, i16, i17,"
                        + " i18, i19, i20, i21, i22, i23, i24, i25.");
        leases.renew("i10", "gets", 1, NOW_MS);
        leases.renew("late", "gets", 60, NOW_MS + 1_000);
        assertThat(leases.inForce(NOW_MS + 1_000).orElseThrow())
                .contains("late (gets)")
                .doesNotContain("i10");
    }
}
