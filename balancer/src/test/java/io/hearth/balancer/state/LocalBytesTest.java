// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** However many numbers are kept for them, hosts have what they have. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "79, 1", "79, 3", "79, 69", "79, 70", "79, 79", "300, 256", "600, 257", "600, 600"})
    void hostsHaveTheirBytesWhetherTheyAreAlikeOrNot(int hosts, int different) {
        Map<String, Long> bytesByHost = new TreeMap<>();
        for (int host = 0; host < hosts; host++) {
            bytesByHost.put(String.format("host-%03d", host), 1L + host % different * (1L << 28));
        }
        LocalBytes local = LocalBytes.of(1L << 40, bytesByHost);

        assertThat(local.bytesByHost()).isEqualTo(bytesByHost);
        bytesByHost.forEach((host, bytes) -> {
            assertThat(local.on(host)).hasValue(bytes);
            assertThat(local.bytes(local.indexOf(host))).isEqualTo(bytes);
        });
        assertThat(local)
                .isEqualTo(LocalBytes.of(1L << 40, bytesByHost))
                .hasSameHashCodeAs(LocalBytes.of(1L << 40, bytesByHost));
        bytesByHost.put("host-000", 7L);
        assertThat(local).isNotEqualTo(LocalBytes.of(1L << 40, bytesByHost));
    }

    @Test
    void hostsThatHaveAsMuchTakeFewBytes() {
        assertThat(LocalBytes.of(100, Map.of("a", 7L, "b", 7L, "c", 9L)).heapBytes())
                .isEqualTo(3 * 4 + 2 * 8 + 3);
        assertThat(LocalBytes.of(100, Map.of("a", 7L, "b", 8L, "c", 9L)).heapBytes())
                .isEqualTo(3 * 4 + 3 * 8);
        assertThat(LocalBytes.UNKNOWN.heapBytes()).isZero();
    }
}
