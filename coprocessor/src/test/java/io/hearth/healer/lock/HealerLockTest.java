// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.lock.HealerLock.LockHolder;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealerLockTest {

    private static final LockHolder OPS =
            new LockHolder("healer-run", "ops", "host1", Instant.parse("2026-11-21T19:30:00Z"));

    @Test
    void itsWordIsReadBackAndAPersonCanReadIt() {
        assertThat(OPS.label()).isEqualTo("healer-run ops host1 2026-11-21T19:30:00Z v1");
        assertThat(LockHolder.ofLabel("healer-run ops host1 2026-11-21T19:30:00Z"))
                .as("of a release before")
                .contains(OPS);
        assertThat(LockHolder.ofLabel(OPS.label())).contains(OPS);
        assertThat(OPS).hasToString("healer-run of ops on host1, since 2026-11-21T19:30:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host1", "healer-run ops host1", "healer-run ops host1 yesterday", "a b c d e"})
    void anotherWordIsNone(String label) {
        assertThat(LockHolder.ofLabel(label)).isEmpty();
    }

    @Test
    void ofTheWordOfANewerVersionWhatIsKnownIsRead() {
        assertThat(LockHolder.ofLabel(OPS.label() + " 1.2.0 whatever-it-is")).contains(OPS);
    }

    @Test
    void aForgedWordReachesNoTerminal() {
        LockHolder forged = LockHolder.ofLabel("healer-run\u001b[2J o\u0007ps host1\nWARN 2026-11-21T19:30:00Z")
                .orElseThrow();
        assertThat(forged).hasToString("healer-run?[2J of o?ps on host1?WARN, since 2026-11-21T19:30:00Z");
    }
}
