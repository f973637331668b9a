// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb.stream;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys of OpenTSDB's table of data points, and its regions. A key is {@code [salt] metric hour tagk tagv}: a salt of one byte where
 * salting is on, UIDs of three bytes in the order in which they were given, and the first second of the hour in four (OpenTSDB's docs, user_guide/backends/hbase and
 * user_guide/writing, "Salting"). So without a salt all series of a metric are neighbours, and what is written now is in one region for each metric; each row
 * is as wide as an hour has points. Immutable.
 *
 * @param metrics UIDs 1 to this many are the metrics'
 * @param salted whether keys begin with the bucket that metric and tags hash to
 * @param regions into which it is split before use: at metrics, or where it is salted one for each bucket
 */
public record TsdbRowKeys(int metrics, boolean salted, int regions) {

    /** OpenTSDB's default. */
    public static final int SALT_BUCKETS = 20;

    /** What each region of a table without salts has, at least. */
    private static final int UID_BYTES = 3;

    private static final int HOUR_SECONDS = 3_600;

    /** @throws IllegalArgumentException if there are not as many metrics as regions, or not as many regions as buckets */
    public TsdbRowKeys {
        if (salted ? regions != SALT_BUCKETS : regions < 1 || regions > metrics) {
            throw new IllegalArgumentException(regions + " regions for " + metrics + " metrics"
                    + (salted ? " in " + SALT_BUCKETS + " buckets" : ""));
        }
    }

    /** The first keys of all regions but the first. */
    public List<byte[]> splits() {
        List<byte[]> splits = new ArrayList<>();
        for (int region = 1; region < regions; region++) {
            splits.add(salted ? new byte[] {(byte) region} : uid(firstUidOf(region)));
        }
        return splits;
    }

    private int firstUidOf(int region) {
        return 1 + (int) ((long) region * metrics / regions);
    }

    /** The region that a key belongs to, counted from 0. */
    public int regionOf(byte[] key) {
        int region = 0;
        for (byte[] split : splits()) {
            if (Arrays.compareUnsigned(key, split) < 0) {
                return region;
            }
            region++;
        }
        return region;
    }

    /** The key of the row that holds the points of a series in the hour of that time; the UIDs are 1 or more. */
    public byte[] key(int metricUid, int tagkUid, int tagvUid, long timestampMs) {
        int second = (int) (timestampMs / 1_000);
        ByteBuffer key = ByteBuffer.allocate((salted ? 1 : 0) + 3 * UID_BYTES + Integer.BYTES);
        if (salted) {
            key.put(salt(metricUid, tagkUid, tagvUid));
        }
        return key.put(uid(metricUid))
                .putInt(second - second % HOUR_SECONDS)
                .put(uid(tagkUid))
                .put(uid(tagvUid))
                .array();
    }

    /** All but the time. */
    private static byte salt(int metricUid, int tagkUid, int tagvUid) {
        byte[] series = ByteBuffer.allocate(3 * UID_BYTES)
                .put(uid(metricUid))
                .put(uid(tagkUid))
                .put(uid(tagvUid))
                .array();
        return (byte) Math.abs(Arrays.hashCode(series) % SALT_BUCKETS);
    }

    private static byte[] uid(int uid) {
        return Arrays.copyOfRange(ByteBuffer.allocate(Integer.BYTES).putInt(uid).array(), 1, Integer.BYTES);
    }
}
