package io.hearth.balancer.steering;

import io.hearth.balancer.load.RegionId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/** The envelope of what is remembered: a mark, a version, the length, the bytes and their checksum (CRC-32). */
final class SteeringBytes {

    private static final int MARK = 0x48535452; // HSTR
    private static final int VERSION = 4;

    /** The version before, in which wrong runs were counted and limited nothing. It is read still. */
    static final int WITHOUT_LIMITS = 3;

    private static final int HEADER = 3 * Integer.BYTES;
    private static final int AROUND = HEADER + Long.BYTES;

    private SteeringBytes() {}

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
    static Optional<Restored> problem(byte[] wrapped) {
        if (wrapped.length < HEADER) {
            return Optional.of(Restored.TORN);
        }
        ByteBuffer buffer = ByteBuffer.wrap(wrapped);
        if (buffer.getInt() != MARK || !isKnown(buffer.getInt())) {
            return Optional.of(Restored.FOREIGN);
        }
        if (buffer.getInt() != wrapped.length - AROUND) {
            return Optional.of(Restored.TORN);
        }
        boolean isWhole = buffer.getLong(wrapped.length - Long.BYTES) == checksum(unwrap(wrapped));
        return isWhole ? Optional.empty() : Optional.of(Restored.TORN);
    }

    private static boolean isKnown(int version) {
        return version == VERSION || version == WITHOUT_LIMITS;
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
    record State(Flights flights, Trails trails, HandPins handPins, MoveBudget budget, Ledger ledger) {

        static State empty() {
            return new State(new Flights(), new Trails(), new HandPins(), new MoveBudget(), new Ledger());
        }

        /** Adds what another master remembered; a region that was moved or pinned here stays as it is here. */
        void putUnder(State older) {
            Set<RegionId> knownHere = new HashSet<>(flights.regions());
            knownHere.addAll(trails.regions());
            knownHere.addAll(handPins.regions());
            flights.putUnder(older.flights, knownHere);
            trails.putUnder(older.trails);
            handPins.putUnder(older.handPins, knownHere);
            budget.add(older.budget);
            ledger.putUnder(older.ledger);
        }

        byte[] toBytes() throws IOException {
            StateOut out = new StateOut();
            flights.write(out);
            trails.write(out);
            handPins.write(out);
            budget.write(out);
            ledger.write(out);
            return wrap(out.toBytes());
        }

        static State of(byte[] wrapped, long nowMs) throws IOException {
            StateIn in = new StateIn(unwrap(wrapped), ByteBuffer.wrap(wrapped).getInt(Integer.BYTES), nowMs);
            State state = new State(
                    Flights.read(in), Trails.read(in), HandPins.read(in), MoveBudget.read(in), Ledger.read(in));
            if (!in.isAtEnd()) {
                throw new IOException("more bytes than there should be");
            }
            return state;
        }
    }
}
