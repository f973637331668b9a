// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.heat.ingest.PlausibilityCheck;
import io.hearth.balancer.heat.ingest.Rates;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;

/**
 * A heat snapshot as bytes: 80 for each region with two counters. Rates are kept as floats, and how many counters there are is told
 * by the length: one that this version has not is left out, one that it has in addition is 0. The bytes stand in a section of a {@link
 * StateFile}, which guards them by a checksum. Snapshots of version 1, which had nothing over hours, are read; of a later version
 * none is.
 */
public final class HeatCodec {

    static final byte VERSION = 2;

    /** Without what a region carries in the long run: 40 bytes for each. */
    private static final byte WITHOUT_LONG_RUN = 1;

    private static final int HEADER_BYTES = 1 + Long.BYTES + Integer.BYTES;
    private static final int REGION_BYTES = 6 * Long.BYTES + Rates.COUNTERS * 4 * Float.BYTES;

    private HeatCodec() {}

    public static byte[] encode(HeatSnapshot snapshot) {
        int regions = snapshot.regions().size();
        ByteBuffer bytes = ByteBuffer.allocate(Math.addExact(HEADER_BYTES, Math.multiplyExact(REGION_BYTES, regions)));
        bytes.put(VERSION).putLong(snapshot.takenAtMs()).putInt(regions);
        for (RegionEntry entry : snapshot.regions()) {
            bytes.putLong(entry.high())
                    .putLong(entry.low())
                    .putLong(entry.heat().observedMs());
            put(bytes, entry.heat().smoothed());
            put(bytes, entry.heat().recent());
            LongTermRates.Prior longTerm = entry.heat().longTerm();
            put(bytes, longTerm.mean());
            put(bytes, longTerm.variance());
            bytes.putLong(longTerm.observedMs()).putLong(longTerm.comparedMs()).putLong(longTerm.shiftedAtMs());
        }
        return bytes.array();
    }

    /** The snapshot, or empty where these are not the bytes of one of this version or of version 1. */
    public static Optional<HeatSnapshot> decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded);
        if (encoded.length < HEADER_BYTES) {
            return Optional.empty();
        }
        byte version = bytes.get();
        if (version != VERSION && version != WITHOUT_LONG_RUN) {
            return Optional.empty();
        }
        boolean hasLongRun = version == VERSION;
        long takenAtMs = bytes.getLong();
        int regions = bytes.getInt();
        int counters = counters(bytes.remaining(), regions, hasLongRun);
        if (counters < 0) {
            return Optional.empty();
        }
        List<RegionEntry> entries = new ArrayList<>(regions);
        for (int region = 0; region < regions; region++) {
            RegionEntry entry = new RegionEntry(bytes.getLong(), bytes.getLong(), heat(bytes, hasLongRun, counters));
            if (!isPossible(entry.heat())) {
                return Optional.empty();
            }
            // A rate that no server can have was learnt by a version that believed it.
            if (isPlausible(entry.heat().smoothed())
                    && isPlausible(entry.heat().recent())
                    && isPlausible(entry.heat().longTerm().mean())) {
                entries.add(entry);
            }
        }
        return Optional.of(new HeatSnapshot(takenAtMs, entries));
    }

    /** Whether these are the bytes of a later version. */
    public static boolean isNewer(byte[] encoded) {
        return encoded.length >= HEADER_BYTES && encoded[0] > VERSION;
    }

    /** How many counters each of so many regions has; below 0 where these are not the bytes of so many. */
    private static int counters(int bytes, int regions, boolean hasLongRun) {
        if (regions <= 0) {
            return regions == 0 && bytes == 0 ? 0 : -1;
        }
        int bytesOfRates = bytes / regions - (hasLongRun ? 6 : 3) * Long.BYTES;
        int bytesOfCounter = (hasLongRun ? 4 : 2) * Float.BYTES;
        boolean isWhole = bytes % regions == 0 && bytesOfRates > 0 && bytesOfRates % bytesOfCounter == 0;
        return isWhole ? bytesOfRates / bytesOfCounter : -1;
    }

    private static InheritedRates heat(ByteBuffer bytes, boolean hasLongRun, int counters) {
        long observedMs = bytes.getLong();
        Rates smoothed = rates(bytes, counters);
        Rates recent = rates(bytes, counters);
        return hasLongRun
                ? new InheritedRates(
                        observedMs,
                        smoothed,
                        recent,
                        new LongTermRates.Prior(
                                rates(bytes, counters),
                                rates(bytes, counters),
                                bytes.getLong(),
                                bytes.getLong(),
                                bytes.getLong()))
                : new InheritedRates(observedMs, smoothed, recent);
    }

    private static void put(ByteBuffer bytes, Rates rates) {
        for (int counter = 0; counter < Rates.COUNTERS; counter++) {
            bytes.putFloat((float) rates.get(counter));
        }
    }

    private static Rates rates(ByteBuffer bytes, int counters) {
        float[] read = new float[counters];
        for (int counter = 0; counter < counters; counter++) {
            read[counter] = bytes.getFloat();
        }
        return Rates.of(counter -> counter < counters ? read[counter] : 0);
    }

    private static boolean isPossible(InheritedRates heat) {
        LongTermRates.Prior longTerm = heat.longTerm();
        return heat.observedMs() > 0
                && isPossible(heat.smoothed())
                && isPossible(heat.recent())
                && isPossible(longTerm.mean())
                && isPossible(longTerm.variance())
                && longTerm.observedMs() >= 0
                && longTerm.comparedMs() >= 0;
    }

    private static boolean isPlausible(Rates rates) {
        return allMatch(rates, PlausibilityCheck::isPossibleRate);
    }

    private static boolean isPossible(Rates rates) {
        return allMatch(rates, rate -> rate >= 0 && rate < Float.POSITIVE_INFINITY);
    }

    private static boolean allMatch(Rates rates, DoublePredicate isTrue) {
        for (int counter = 0; counter < Rates.COUNTERS; counter++) {
            if (!isTrue.test(rates.get(counter))) {
                return false;
            }
        }
        return true;
    }
}
