// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.healer.lock.HealerLock;
import io.hearth.healer.lock.HealerLock.LockHolder;
import io.hearth.healer.lock.HealerLock.LockResult;
import java.util.ArrayList;
import java.util.List;

/** A lock that answers what a test says, and remembers what it was asked. */
public final class FakeLock implements HealerLock {

    public final List<String> calls = new ArrayList<>();
    public LockResult onTake = new LockResult.Held();
    public LockResult onConfirm = new LockResult.Held();
    /** Whatever passes while it is asked. */
    public Runnable whileAsked = () -> {};

    @Override
    public LockResult take(LockHolder self) {
        calls.add("take");
        whileAsked.run();
        return onTake;
    }

    @Override
    public LockResult confirm() {
        calls.add("confirm");
        whileAsked.run();
        return onConfirm;
    }

    @Override
    public void release() {
        calls.add("release");
    }
}
