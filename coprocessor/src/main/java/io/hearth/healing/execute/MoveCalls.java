package io.hearth.healing.execute;

import io.hearth.healing.execute.MoveResult.Answer;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Has DataNodes asked on threads that are lent, and gathers their answers. Every call ends in exactly one answer, whatever goes
 * wrong. One thread asks and takes; the answers come from others.
 */
final class MoveCalls {

    /** What came of one call. No two calls have the same ticket. */
    record CallEnd(long ticket, TrackedMove asked, MoveResult result) {}

    private final BlockMover mover;
    private final MoveThreads threads;
    private final Queue<CallEnd> ends = new ConcurrentLinkedQueue<>();
    private long nextTicket;

    MoveCalls(BlockMover mover, MoveThreads threads) {
        this.mover = mover;
        this.threads = threads;
    }

    /** Returns the ticket of the call. */
    long ask(TrackedMove running, long listenMs) {
        long ticket = nextTicket++;
        try {
            threads.run(() -> ends.add(new CallEnd(ticket, running, answer(running, listenMs))));
        } catch (RuntimeException stopping) {
            ends.add(new CallEnd(ticket, running, new MoveResult(Answer.FAILED, "no thread takes it: " + stopping)));
        }
        return ticket;
    }

    Optional<CallEnd> take() {
        return Optional.ofNullable(ends.poll());
    }

    /** Catches everything: without an answer the slots would be lost. */
    private MoveResult answer(TrackedMove running, long listenMs) {
        try {
            return mover.move(running.move(), running.proxy(), listenMs);
        } catch (Throwable failure) {
            return new MoveResult(Answer.FAILED, failure.toString());
        }
    }
}
