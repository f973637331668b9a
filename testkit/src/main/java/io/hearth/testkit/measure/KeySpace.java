// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The row keys of the demo's table: every region has the same number of rows, and the key says which
 * region it is in.
 *
 * @param regions at most 10,000
 * @param rowsPerRegion at most 1,000,000
 */
public record KeySpace(int regions, int rowsPerRegion) {

    /** The keys at which the table is split: one fewer than there are regions. */
    public byte[][] splitKeys() {
        byte[][] keys = new byte[regions - 1][];
        for (int i = 1; i < regions; i++) {
            keys[i - 1] = bytes(prefix(i));
        }
        return keys;
    }

    /** Row {@code row} of region {@code region}, both from 0. */
    public byte[] row(int region, int row) {
        return bytes(prefix(region) + String.format(Locale.ROOT, "%06d", row));
    }

    /** Which region begins with this key: 0 for the empty one. */
    public int regionStartingWith(byte[] startKey) {
        return startKey.length == 0 ? 0 : Integer.parseInt(new String(startKey, 0, 4, StandardCharsets.US_ASCII));
    }

    /** How many rows the table has. */
    public long rows() {
        return (long) regions * rowsPerRegion;
    }

    private static String prefix(int region) {
        return String.format(Locale.ROOT, "%04d-", region);
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.US_ASCII);
    }
}
