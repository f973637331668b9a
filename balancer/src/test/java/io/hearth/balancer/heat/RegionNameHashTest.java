// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionNameHashTest {

    private static RegionNameHash key(String name) {
        return RegionNameHash.of(new EncodedRegionName(name));
    }

    @Test
    void thirtyTwoDigitsAreTheBitsThatTheyStandFor() {
        RegionNameHash key = key("0123456789abcdef0f1e2d3c4b5a6978");

        assertThat(key).isEqualTo(new RegionNameHash(0x0123456789abcdefL, 0x0f1e2d3c4b5a6978L));
        assertThat(key.hashCode()).isEqualTo(Long.hashCode(0x0123456789abcdefL ^ 0x0f1e2d3c4b5a6978L));
    }

    @Test
    void everyDigitCountsInItsPlace() {
        String zeros = "0".repeat(32);
        for (int place = 0; place < 32; place++) {
            for (int digit = 0; digit < 16; digit++) {
                String name = zeros.substring(0, place) + Integer.toHexString(digit) + zeros.substring(place + 1);
                BigInteger bits = new BigInteger(name, 16);
                assertThat(key(name))
                        .as(name)
                        .isEqualTo(new RegionNameHash(bits.shiftRight(64).longValue(), bits.longValue()));
            }
        }
    }

    /** hbase:meta's, one that is too short, and one each with the characters before and after the digits. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1588230740",
                "0123456789abcdef0123456789abcde",
                "0123456789ABCDEF0123456789abcdef",
                "/123456789abcdef0123456789abcdef",
                ":123456789abcdef0123456789abcdef",
                "`123456789abcdef0123456789abcdef",
                "0123456789abcdef0123456789abcdeg"
            })
    void anotherNameIsPutThroughMd5(String name) throws Exception {
        BigInteger bits =
                new BigInteger(1, MessageDigest.getInstance("MD5").digest(name.getBytes(StandardCharsets.UTF_8)));

        assertThat(key(name)).isEqualTo(new RegionNameHash(bits.shiftRight(64).longValue(), bits.longValue()));
    }
}
