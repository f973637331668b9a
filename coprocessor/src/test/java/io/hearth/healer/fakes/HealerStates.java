// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.healer.core.HealerState;
import io.hearth.healer.core.HealerState.HealListener;
import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLockManager;
import java.time.Instant;
import java.util.function.LongSupplier;

/** What a loop remembers in tests. */
public final class HealerStates {

    public static final LockHolder SELF = new LockHolder("test", "me", "here", Instant.EPOCH);

    private HealerStates() {}

    /** Of a healer that nobody vies with. */
    public static HealerState alone() {
        return with(HealerLock.UNCONTESTED, () -> 0);
    }

    public static HealerState with(HealerLock lock, LongSupplier clockMs) {
        return new HealerState(
                new HealerLockManager(lock, () -> SELF, clockMs, new CountedMetrics()), HealListener.NONE);
    }
}
