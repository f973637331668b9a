package io.hearth.healing.fakes;

import io.hearth.healing.lock.HealerLock;
import io.hearth.healing.lock.LockHolder;
import io.hearth.healing.lock.Tenure;
import io.hearth.healing.loop.HealListener;
import io.hearth.healing.loop.HealingMemory;
import java.time.Instant;
import java.util.function.LongSupplier;

/** What a loop remembers in tests. */
public final class Memories {

    public static final LockHolder SELF = new LockHolder("test", "me", "here", Instant.EPOCH);

    private Memories() {}

    /** Of a healer that nobody vies with. */
    public static HealingMemory alone() {
        return with(HealerLock.UNCONTESTED, () -> 0);
    }

    public static HealingMemory with(HealerLock lock, LongSupplier clockMs) {
        return new HealingMemory(new Tenure(lock, () -> SELF, clockMs, new CountedMetrics()), HealListener.NONE);
    }
}
