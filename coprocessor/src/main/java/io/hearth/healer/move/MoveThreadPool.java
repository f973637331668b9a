// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.move;

/** Where the mover waits for DataNodes. The rooms have no threads of their own; a runner lends them. */
@FunctionalInterface
public interface MoveThreadPool {

    /**
     * Runs this task soon, on another thread; returns at once.
     *
     * @throws RuntimeException if it takes no more tasks
     */
    void run(Runnable task);
}
