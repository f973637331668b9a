// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.common.model.EncodedRegionName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The 128 bits that an encoded name stands for, a third of the memory of its 32 hexadecimal digits. HBase makes the name by
 * MD5; a name of another form (hbase:meta's) is put through MD5 here. Immutable.
 */
record RegionNameHash(long high, long low) {

    private static final int DIGITS = 32;

    static RegionNameHash of(EncodedRegionName region) {
        String name = region.encodedName();
        if (name.length() != DIGITS) {
            return digestOf(name);
        }
        long high = 0;
        long low = 0;
        for (int index = 0; index < DIGITS; index++) {
            int digit = digit(name.charAt(index));
            if (digit < 0) {
                return digestOf(name);
            }
            if (index < DIGITS / 2) {
                high = high << 4 | digit;
            } else {
                low = low << 4 | digit;
            }
        }
        return new RegionNameHash(high, low);
    }

    /** Lower case only, as HBase writes them: another case would be another name. */
    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }

    private static RegionNameHash digestOf(String name) {
        try {
            ByteBuffer digest =
                    ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(name.getBytes(StandardCharsets.UTF_8)));
            return new RegionNameHash(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("Every Java platform has MD5.", missing);
        }
    }

    /** The name is spread evenly by MD5 already. */
    @Override
    public int hashCode() {
        return Long.hashCode(high ^ low);
    }
}
