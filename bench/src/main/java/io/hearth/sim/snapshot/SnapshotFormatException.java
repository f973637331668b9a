package io.hearth.sim.snapshot;

/** Says what is wrong in a snapshot file, where, and what is allowed there; one line. */
public final class SnapshotFormatException extends Exception {

    private static final long serialVersionUID = 1;

    SnapshotFormatException(String message) {
        super(message);
    }

    /** The line. */
    public String line() {
        return String.valueOf(getMessage());
    }
}
