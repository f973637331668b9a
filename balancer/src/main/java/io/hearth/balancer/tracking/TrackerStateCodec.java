// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.common.model.EncodedRegionName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/** The envelope of what is remembered: a mark, a version, the length, the bytes and their checksum (CRC-32). */
final class TrackerStateCodec {

    private static final int MARK = 0x48535452; // HSTR
    private static final int VERSION = 5;

    /** The version before, without the regions that were taken off servers that were emptied. It is read still. */
    static final int WITHOUT_UNLOADS = 4;

    /** The version before that, in which wrong runs were counted and limited nothing. It is read still. */
    static final int WITHOUT_LIMITS = 3;

    private static final int HEADER = 3 * Integer.BYTES;
    private static final int AROUND = HEADER + Long.BYTES;

    private TrackerStateCodec() {}

    static byte[] wrap(byte[] state) {
        return ByteBuffer.allocate(state.length + AROUND)
                .putInt(MARK)
                .putInt(VERSION)
                .putInt(state.length)
                .put(state)
                .putLong(checksum(state))
                .array();
    }

    /** What is wrong with these bytes; empty where {@link #unwrap} may be asked. */
    static Optional<RestoreResult> problem(byte[] wrapped) {
        if (wrapped.length < HEADER) {
            return Optional.of(RestoreResult.CORRUPT);
        }
        if (isNewer(wrapped)) {
            return Optional.of(RestoreResult.NEWER);
        }
        ByteBuffer buffer = ByteBuffer.wrap(wrapped);
        if (buffer.getInt() != MARK || !isKnown(buffer.getInt())) {
            return Optional.of(RestoreResult.UNRECOGNIZED);
        }
        if (buffer.getInt() != wrapped.length - AROUND) {
            return Optional.of(RestoreResult.CORRUPT);
        }
        boolean isWhole = buffer.getLong(wrapped.length - Long.BYTES) == checksum(unwrap(wrapped));
        return isWhole ? Optional.empty() : Optional.of(RestoreResult.CORRUPT);
    }

    /** Whether these bytes are of a later version of this envelope. */
    static boolean isNewer(byte[] wrapped) {
        ByteBuffer buffer = ByteBuffer.wrap(wrapped);
        return wrapped.length >= HEADER && buffer.getInt() == MARK && buffer.getInt() > VERSION;
    }

    private static boolean isKnown(int version) {
        return version == VERSION || version == WITHOUT_UNLOADS || version == WITHOUT_LIMITS;
    }

    static byte[] unwrap(byte[] wrapped) {
        return Arrays.copyOfRange(wrapped, HEADER, wrapped.length - Long.BYTES);
    }

    private static long checksum(byte[] state) {
        CRC32 sum = new CRC32();
        sum.update(state);
        return sum.getValue();
    }

    /** All that is remembered. */
    record State(
            InFlightMoves inFlightMoves,
            RegionMoveHistories histories,
            ManualPins manualPins,
            MoveBudget budget,
            PredictionLog predictionLog) {

        static State empty() {
            return new State(
                    new InFlightMoves(),
                    new RegionMoveHistories(),
                    new ManualPins(),
                    new MoveBudget(),
                    new PredictionLog());
        }

        /** Adds what another master remembered; a region that was moved or pinned here stays as it is here. */
        void mergeOlder(State older) {
            Set<EncodedRegionName> knownHere = new HashSet<>(inFlightMoves.regions());
            knownHere.addAll(histories.regions());
            knownHere.addAll(manualPins.regions());
            inFlightMoves.mergeOlder(older.inFlightMoves, knownHere);
            histories.mergeOlder(older.histories);
            manualPins.mergeOlder(older.manualPins, knownHere);
            budget.add(older.budget);
            predictionLog.mergeOlder(older.predictionLog);
        }

        byte[] toBytes() throws IOException {
            StateWriter out = new StateWriter();
            inFlightMoves.write(out);
            histories.write(out);
            manualPins.write(out);
            budget.write(out);
            predictionLog.write(out);
            return wrap(out.toBytes());
        }

        static State of(byte[] wrapped, long nowMs) throws IOException {
            StateReader in =
                    new StateReader(unwrap(wrapped), ByteBuffer.wrap(wrapped).getInt(Integer.BYTES), nowMs);
            State state = new State(
                    InFlightMoves.read(in),
                    RegionMoveHistories.read(in),
                    ManualPins.read(in),
                    MoveBudget.read(in),
                    PredictionLog.read(in));
            if (!in.isAtEnd()) {
                throw new IOException("more bytes than there should be");
            }
            return state;
        }
    }
}
