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
 * {@value #MILLIS}. Thread-safe.
 */
public final class ServiceTime implements RegionCoprocessor, RegionObserver {

    static final String MILLIS = "hearth.testkit.service.ms";

    private volatile long nanos;

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
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
