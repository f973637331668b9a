// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** On one host gets stand still, as where its process is stopped. */
public final class GetStallObserver implements RegionCoprocessor, RegionObserver {

    private record Stall(String host, CountDownLatch end) {}

    private static volatile Stall stall = new Stall("", new CountDownLatch(0));

    /** From now on; {@link CountDownLatch#countDown} of what is returned ends it. */
    static CountDownLatch begin(String host) {
        CountDownLatch end = new CountDownLatch(1);
        stall = new Stall(host, end);
        return end;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
        return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
            throws InterruptedIOException {
        Stall now = stall;
        if (context.getEnvironment().getServerName().getHostname().equals(now.host())) {
            try {
                now.end().await();
            } catch (InterruptedException stopped) {
                throw new InterruptedIOException("stopped");
            }
        }
    }
}
