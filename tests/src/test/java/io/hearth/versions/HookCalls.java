// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import java.util.ArrayList;
import java.util.List;

/** Calls of hooks of Hearth's, and what has left them. Of one thread. */
final class HookCalls {

    /** One call. */
    @FunctionalInterface
    interface Hook {

        void call() throws Exception;
    }

    private final List<String> escaped = new ArrayList<>();

    void call(String name, Hook hook) {
        try {
            hook.call();
        } catch (Throwable failure) {
            escaped.add(name + ": " + failure);
        }
    }

    /** Something else than an exception is wrong. */
    void add(String wrong) {
        escaped.add(wrong);
    }

    List<String> escaped() {
        return List.copyOf(escaped);
    }
}
