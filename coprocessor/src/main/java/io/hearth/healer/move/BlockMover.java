// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.move.BlockMover.MoveResult.Response;
import io.hearth.healer.move.MoveExecutor.MoveThreadPool;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks DataNodes to move replicas. Thread-safe. */
public interface BlockMover {

    /**
     * Has the target copy the block from this proxy, with the hint that the source's replica may go, and waits for the
     * DataNode's answer. Never throws: whatever goes wrong is a result.
     *
     * @param listenMs the longest wait in all
     */
    MoveResult move(BlockMove move, DataNode proxy, long listenMs);

    /**
     * The same without waiting: one of these threads waits, and hands the answer over. A mover that needs no thread to wait does it
     * otherwise; then it owes one answer to each call as well, from any thread.
     *
     * @throws RuntimeException if no thread takes it; then there is no answer
     */
    default void start(
            BlockMove move, DataNode proxy, long listenMs, MoveThreadPool threads, Consumer<MoveResult> answer) {
        threads.run(() -> {
            MoveResult result = MoveResult.of(Response.FAILED);
            try {
                result = move(move, proxy, listenMs);
            } catch (LinkageError otherVersion) {
                // Every move would fail like that: whose thread it is has to know.
                result = new MoveResult(Response.FAILED, otherVersion.toString());
                throw otherVersion;
            } catch (Throwable failure) {
                result = new MoveResult(Response.FAILED, failure.toString());
            } finally {
                // Without an answer the slots would be lost.
                answer.accept(result);
            }
        });
    }

    /** Why no move can be asked for at all, with what to do about it; empty where they can. */
    Optional<String> missingPrivilege();

    /** Whether what it has to know before the first move is known; until then no move is planned. */
    default boolean isReady() {
        return true;
    }

    /**
     * How the DataNode answered. Immutable.
     *
     * @param detail one line for the log, empty where there is nothing to say
     */
    record MoveResult(Response response, String detail) {

        /** What kind of answer it was. */
        public enum Response {
            /** The target has copied the block and told the NameNode. */
            COPIED,
            /** The target has the replica already: nothing was copied, and the NameNode was given no hint. */
            ALREADY_THERE,
            /** The target makes as many moves as it allows: back-pressure, not failure. */
            BUSY,
            /** The proxy does. */
            PROXY_BUSY,
            /** The target has no room or no storage of this type, or the replica is pinned: another attempt would end the same. */
            REFUSED,
            /** The privilege or the token is missing: another attempt would end the same. */
            NOT_PERMITTED,
            /** A copy of this block is on its way to the target already, by another call: only the NameNode can say how it ends. */
            UNDER_WAY,
            /** No answer in time: the DataNode may still be at it. */
            TIMED_OUT,
            /** The target could not be connected to: nothing is under way. */
            UNREACHABLE,
            /** The target could not connect to the proxy; another one may do. */
            PROXY_UNREACHABLE,
            /** Anything else; another proxy may do. */
            FAILED
        }

        public static MoveResult of(Response response) {
            return new MoveResult(response, "");
        }
    }
}
