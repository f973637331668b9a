package io.hearth.healing.lock;

/** What came of asking for the lock, or after it. Immutable. */
public sealed interface LockAnswer {

    /** It is ours, and nobody else's for {@link HealerLock#LIVES_MS} from the moment of the question. */
    record Held() implements LockAnswer {}

    /** It is another's. */
    record HeldBy(LockHolder holder) implements LockAnswer {}

    /** It was ours, and is not any more: it was not renewed for too long, or somebody took it away. */
    record Lost(String why) implements LockAnswer {}

    /** The user may not have it. */
    record Refused(String why) implements LockAnswer {}

    /** Nobody could say. */
    record Unknown(String why) implements LockAnswer {}
}
