// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import java.util.List;

/** The threads that Hearth's classes of one class loader have started. Stateless. */
final class HearthThreads {

    private static final long AWAIT_MS = 20_000;

    private HearthThreads() {}

    private static List<Thread> of(ClassLoader loader, String namePrefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(namePrefix) && thread.getContextClassLoader() == loader)
                .toList();
    }

    /** Wakes those whose names begin so. */
    static void interrupt(ClassLoader loader, String namePrefix) {
        of(loader, namePrefix).forEach(Thread::interrupt);
    }

    /** Waits until those whose names begin so have ended. */
    static void awaitEnd(ClassLoader loader, String namePrefix) throws InterruptedException {
        for (Thread thread : of(loader, namePrefix)) {
            thread.join(AWAIT_MS);
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " goes on");
            }
        }
    }
}
