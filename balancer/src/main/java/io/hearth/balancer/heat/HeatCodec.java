package io.hearth.balancer.heat;

import io.hearth.balancer.heat.HeatSnapshot.RegionEntry;
import io.hearth.balancer.ingest.Plausibility;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A heat snapshot as bytes: 40 for each region. Rates are kept as floats. The bytes stand in a section of a {@link
 * StateFile}, which guards them by a checksum; a snapshot of another version is not read.
 */
public final class HeatCodec {

    static final byte VERSION = 1;

    private static final int HEADER_BYTES = 1 + Long.BYTES + Integer.BYTES;
    private static final int REGION_BYTES = 3 * Long.BYTES + 4 * Float.BYTES;

    private HeatCodec() {}

    public static byte[] encode(HeatSnapshot snapshot) {
        int regions = snapshot.regions().size();
        ByteBuffer bytes = ByteBuffer.allocate(Math.addExact(HEADER_BYTES, Math.multiplyExact(REGION_BYTES, regions)));
        bytes.put(VERSION).putLong(snapshot.takenAtMs()).putInt(regions);
        for (RegionEntry entry : snapshot.regions()) {
            bytes.putLong(entry.high())
                    .putLong(entry.low())
                    .putLong(entry.heat().observedMs());
            put(bytes, entry.heat().acting());
            put(bytes, entry.heat().recent());
        }
        return bytes.array();
    }

    /** The snapshot, or empty where these are not the bytes of one of this version. */
    public static Optional<HeatSnapshot> decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded);
        if (encoded.length < HEADER_BYTES || bytes.get() != VERSION) {
            return Optional.empty();
        }
        long takenAtMs = bytes.getLong();
        int regions = bytes.getInt();
        if (regions < 0 || bytes.remaining() != (long) regions * REGION_BYTES) {
            return Optional.empty();
        }
        List<RegionEntry> entries = new ArrayList<>(regions);
        for (int region = 0; region < regions; region++) {
            RegionEntry entry = new RegionEntry(
                    bytes.getLong(), bytes.getLong(), new PastHeat(bytes.getLong(), rates(bytes), rates(bytes)));
            if (!isPossible(entry.heat())) {
                return Optional.empty();
            }
            // A rate that no server can have was learnt by a version that believed it.
            if (isPlausible(entry.heat().acting()) && isPlausible(entry.heat().recent())) {
                entries.add(entry);
            }
        }
        return Optional.of(new HeatSnapshot(takenAtMs, entries));
    }

    private static void put(ByteBuffer bytes, Rates rates) {
        bytes.putFloat((float) rates.readsPerSecond()).putFloat((float) rates.writesPerSecond());
    }

    private static Rates rates(ByteBuffer bytes) {
        return new Rates(bytes.getFloat(), bytes.getFloat());
    }

    private static boolean isPossible(PastHeat heat) {
        return heat.observedMs() > 0 && isPossible(heat.acting()) && isPossible(heat.recent());
    }

    private static boolean isPlausible(Rates rates) {
        return Plausibility.isPossibleRate(rates.readsPerSecond())
                && Plausibility.isPossibleRate(rates.writesPerSecond());
    }

    private static boolean isPossible(Rates rates) {
        double least = Math.min(rates.readsPerSecond(), rates.writesPerSecond());
        double most = Math.max(rates.readsPerSecond(), rates.writesPerSecond());
        return least >= 0 && most < Float.POSITIVE_INFINITY;
    }
}
