package io.hearth.healer.move;

import io.hearth.healer.move.MoveResult.Response;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Has DataNodes asked on threads that are lent, and gathers their answers. Every call ends in exactly one answer, whatever goes
 * wrong. One thread asks and takes; the answers come from others.
 */
final class MoveDispatcher {

    /** What came of one call. No two calls have the same ticket. */
    record CompletedCall(long callId, TrackedMove asked, MoveResult result) {}

    private final BlockMover mover;
    private final MoveThreadPool threads;
    private final Queue<CompletedCall> ends = new ConcurrentLinkedQueue<>();
    private long nextCallId;

    MoveDispatcher(BlockMover mover, MoveThreadPool threads) {
        this.mover = mover;
        this.threads = threads;
    }

    /** Returns the ticket of the call. */
    long ask(TrackedMove running, long listenMs) {
        long callId = nextCallId++;
        try {
            threads.run(() -> ends.add(new CompletedCall(callId, running, response(running, listenMs))));
        } catch (RuntimeException stopping) {
            ends.add(new CompletedCall(
                    callId, running, new MoveResult(Response.FAILED, "no thread takes it: " + stopping)));
        }
        return callId;
    }

    Optional<CompletedCall> take() {
        return Optional.ofNullable(ends.poll());
    }

    /** Catches everything: without an answer the slots would be lost. */
    private MoveResult response(TrackedMove running, long listenMs) {
        try {
            return mover.move(running.move(), running.proxy(), listenMs);
        } catch (Throwable failure) {
            return new MoveResult(Response.FAILED, failure.toString());
        }
    }
}
