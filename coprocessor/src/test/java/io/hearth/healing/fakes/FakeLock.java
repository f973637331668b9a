package io.hearth.healing.fakes;

import io.hearth.healing.lock.HealerLock;
import io.hearth.healing.lock.LockAnswer;
import io.hearth.healing.lock.LockHolder;
import java.util.ArrayList;
import java.util.List;

/** A lock that answers what a test says, and remembers what it was asked. */
public final class FakeLock implements HealerLock {

    public final List<String> calls = new ArrayList<>();
    public LockAnswer onTake = new LockAnswer.Held();
    public LockAnswer onConfirm = new LockAnswer.Held();

    @Override
    public LockAnswer take(LockHolder self) {
        calls.add("take");
        return onTake;
    }

    @Override
    public LockAnswer confirm() {
        calls.add("confirm");
        return onConfirm;
    }

    @Override
    public void release() {
        calls.add("release");
    }
}
