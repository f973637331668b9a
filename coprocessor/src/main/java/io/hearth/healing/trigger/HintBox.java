package io.hearth.healing.trigger;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Where the master's hooks leave word that something happened. A hint only makes the next look come early: what has changed
 * is found by looking, so that hints may be lost, doubled or wrong. Thread-safe; leaving a hint takes no time and can't
 * fail.
 */
public final class HintBox {

    private final Runnable wake;
    private final Set<HintKind> hints = EnumSet.noneOf(HintKind.class);

    /** @param wake called after each hint, from the thread that leaves it; it must return at once */
    public HintBox(Runnable wake) {
        this.wake = wake;
    }

    public void leave(HintKind kind) {
        synchronized (hints) {
            hints.add(kind);
        }
        wake.run();
    }

    /** The kinds of hints left since the last time, each once. */
    public Set<HintKind> take() {
        synchronized (hints) {
            Set<HintKind> taken = Collections.unmodifiableSet(EnumSet.copyOf(hints));
            hints.clear();
            return taken;
        }
    }

    public boolean isEmpty() {
        synchronized (hints) {
            return hints.isEmpty();
        }
    }
}
