package io.hearth.healing.execute;

/** Whether a planned move may start just now, and if not, what it waits for. */
sealed interface Passage {

    /** It may, with these places. */
    record Granted(Slots.Lease lease) implements Passage {}

    /** Its turn has come, and so many bytes have been started that no move may start just now. */
    enum NoBytes implements Passage {
        NOW
    }

    /** It may not before something of its own has come about: with any other it would be refused again. */
    sealed interface HeldBack extends Passage {}

    /** The end of its back-off or of a DataNode's rest. */
    record UntilMs(long ms) implements HeldBack {}

    /** A place at a DataNode that has none free. */
    record ForPlace(Slots.Place place) implements HeldBack {}

    /** The readers of its file, who have not refreshed their locations. */
    record ForReaders(String filePath) implements HeldBack {}
}
