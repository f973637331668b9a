// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

/** Whether a planned move may start just now, and if not, what it waits for. */
sealed interface AdmissionDecision {

    /** It may, with these places. */
    record Admitted(MoveSlots.Lease lease) implements AdmissionDecision {}

    /** Its turn has come, and so many bytes have been started that no move may start just now. */
    enum OverBandwidth implements AdmissionDecision {
        INSTANCE
    }

    /** It may not before something of its own has come about: with any other it would be refused again. */
    sealed interface Deferred extends AdmissionDecision {}

    /** The end of its back-off or of a DataNode's rest. */
    record DeferredUntil(long ms) implements Deferred {}

    /** A place at a DataNode that has none free. */
    record DeferredForSlot(MoveSlots.Slot slot) implements Deferred {}

    /** The readers of its file, who have not refreshed their locations. */
    record DeferredForReaders(String filePath) implements Deferred {}
}
