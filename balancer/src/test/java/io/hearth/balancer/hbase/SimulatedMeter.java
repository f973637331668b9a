// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.hbase.MasterMeter.ThreadTime;
import io.hearth.balancer.hbase.MasterMeter.ThreadTimes;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A meter of a master by a clock that a test sets; no thread of it uses processor time. */
public final class SimulatedMeter {

    private final MasterMeterMetrics metrics = MasterMeterMetrics.register();
    private volatile long nanos;
    private final MasterMeter meter = new MasterMeter(new IdleThreads(), () -> nanos, line -> {}, metrics);

    private static final class IdleThreads implements ThreadTimes {

        @Override
        public long ofThisThread() {
            return 0;
        }

        @Override
        public List<ThreadTime> ofHearth() {
            return List.of();
        }

        @Override
        public boolean isHearths() {
            return false;
        }
    }

    public MasterMeter meter() {
        return meter;
    }

    public synchronized void passSeconds(long seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    /** What {@code hearth_master_longest_lock_ms} is now. */
    public long longestLockMs() {
        meter.nanosByWork();
        return metrics.last().longestLockMs();
    }
}
