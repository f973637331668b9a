// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Makes each get and put of a table hold its handler for a time, so that a RegionServer can answer as many requests a second as it has
 * handlers for, however many processors the machine has. A table's attribute has a RegionServer load it, with the time in
 * {@value #MILLIS}. What the server itself does for a request is part of that time: a handler that is never idle answers one request in
 * it, on a slow machine too. Thread-safe.
 */
public final class ServiceTime implements RegionCoprocessor, RegionObserver {

    static final String MILLIS = "hearth.testkit.service.ms";

    /** A handler that takes its next request within this time was not idle: the server has worked on the one or the other. */
    static final long BUSY_NANOS = 1_000_000;

    private volatile long nanos;

    /** When this handler's last request was over, where it had one. */
    private final ThreadLocal<Optional<Long>> lastEnd = ThreadLocal.withInitial(Optional::empty);

    /** The attribute of a table with it, as {@code coprocessor$1}; the jar of this class is on the machine of every server. */
    public static String attribute(String jar, int millis) {
        return "file:" + jar + "|" + ServiceTime.class.getName() + "|1001|" + MILLIS + "=" + millis;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void start(CoprocessorEnvironment env) {
        nanos = TimeUnit.MILLISECONDS.toNanos(env.getConfiguration().getInt(MILLIS, 0));
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
        hold();
    }

    @Override
    public void prePut(
            ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit, Durability durability) {
        hold();
    }

    private void hold() {
        long nowNanos = System.nanoTime();
        long endNanos = beginning(nowNanos, lastEnd.get()) + nanos;
        for (long left = endNanos - nowNanos; left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        lastEnd.set(Optional.of(endNanos));
    }

    /** When the time of a request begins: where the last one ended, for a handler that was not idle since. */
    static long beginning(long nowNanos, Optional<Long> lastEndNanos) {
        return lastEndNanos.filter(end -> nowNanos - end < BUSY_NANOS).orElse(nowNanos);
    }
}
