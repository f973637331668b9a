// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** Sends probes of one kind. Thread-safe. */
@FunctionalInterface
public interface ProbeSender {

    /** What an answer says of the target. */
    enum Answer {
        /** The target answered, and rightly. */
        RIGHT,
        /** The target answered, and what it said is wrong. */
        WRONG,
        /** Nothing: what was asked for is on another server, such as a region that was moved. */
        NOT_ON_TARGET
    }

    /**
     * Sends a probe, and does not wait for its answer.
     *
     * @return completes with the answer, or with what went wrong; soon after the time limit of the kind at the latest
     * @throws RejectedExecutionException if it can't be sent now
     */
    CompletableFuture<Answer> send(String target);
}
