// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.lock;

/** What came of asking for the lock, or after it. Immutable. */
public sealed interface LockResult {

    /** It is ours, and nobody else's for {@link HealerLock#LEASE_MS} from the moment of the question. */
    record Held() implements LockResult {}

    /** It is another's. */
    record HeldBy(LockHolder holder) implements LockResult {}

    /** It was ours, and is not any more: it was not renewed for too long, or somebody took it away. */
    record Lost(String why) implements LockResult {}

    /** The user may not have it. */
    record Refused(String why) implements LockResult {}

    /** Nobody could say. */
    record Unknown(String why) implements LockResult {}
}
