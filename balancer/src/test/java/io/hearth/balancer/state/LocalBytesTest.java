// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalBytesTest {

    @Test
    void saysWhatIsLocalWhere() {
        LocalBytes local = LocalBytes.of(100, Map.of("a", 100L, "b", 30L));

        assertThat(local.totalBytes()).hasValue(100);
        assertThat(local.on("b")).hasValue(30);
        assertThat(local.on("c")).hasValue(0);
        assertThat(local.remoteFor("b")).hasValue(70);
        assertThat(local.bytesByHost()).containsExactly(Map.entry("a", 100L), Map.entry("b", 30L));
    }

    @Test
    void unknownIsNotNothing() {
        assertThat(LocalBytes.UNKNOWN.on("a")).isEmpty();
        assertThat(LocalBytes.UNKNOWN.remoteFor("a")).isEmpty();
        assertThat(LocalBytes.UNKNOWN.totalBytes()).isEmpty();
        assertThat(LocalBytes.of(0, Map.of()).on("a")).hasValue(0);
    }

    @Test
    void refusesMoreThanEverything() {
        assertThatThrownBy(() -> LocalBytes.of(10, Map.of("a", 11L)))
                .hasMessage("a has 11 bytes of a region of 10: it must be 0 to all of them.");
    }
}
