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
 * it, on a slow machine too, and also where a put waits for the WAL or a get for a DataNode. Thread-safe.
 */
public final class ServiceTime implements RegionCoprocessor, RegionObserver {

    static final String MILLIS = "hearth.testkit.service.ms";

    /** A handler that takes its next request within this time was not idle: the server has worked on the one or the other. */
    static final long BUSY_NANOS = 1_000_000;

    private volatile long nanos;

    /** The last request of this handler, where it had one. Each region has an instance of this class, and a handler serves all of them. */
    static final ThreadLocal<Optional<LastRequest>> LAST_REQUEST = ThreadLocal.withInitial(Optional::empty);

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

    @Override
    public void postGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
        done(System.nanoTime());
    }

    @Override
    public void postPut(
            ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit, Durability durability) {
        done(System.nanoTime());
    }

    private void hold() {
        long endNanos = end(System.nanoTime());
        for (long left = endNanos - System.nanoTime(); left > 0; left = endNanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** When the time of a request is over that this handler takes now. */
    long end(long nowNanos) {
        long endNanos = beginning(nowNanos, LAST_REQUEST.get(), nanos) + nanos;
        LAST_REQUEST.set(Optional.of(new LastRequest(endNanos, endNanos)));
        return endNanos;
    }

    /** This handler has read the row that it was asked for, or written it to the WAL. */
    static void done(long nowNanos) {
        LAST_REQUEST.get().ifPresent(last -> LAST_REQUEST.set(Optional.of(new LastRequest(last.endNanos(), nowNanos))));
    }

    /**
     * When the time of a request begins: where that of the last one ended, for a handler that was not idle since. What a request took too
     * long is taken off one other and no more.
     */
    static long beginning(long nowNanos, Optional<LastRequest> lastRequest, long serviceNanos) {
        return lastRequest
                .filter(last -> nowNanos - last.doneNanos() < BUSY_NANOS)
                .map(last -> nowNanos - Math.min(nowNanos - last.endNanos(), serviceNanos))
                .orElse(nowNanos);
    }

    /**
     * A request that a handler has answered or is about to, by {@link System#nanoTime}.
     *
     * @param endNanos when its time was over
     * @param doneNanos when the server was done with it, which is no earlier
     */
    record LastRequest(long endNanos, long doneNanos) {}
}
