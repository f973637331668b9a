// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;
import org.jspecify.annotations.NullMarked;

/**
 * Asks about many regions at once while a master starts, which waits for that with the balancer's lock held: so it has threads
 * of its own, behind no queue, and ends after a set time whatever the NameNode does. Used once; confined to one thread.
 */
@NullMarked
final class StartupLocalityLoader {

    private static final int THREADS = 5;

    private final ConcurrentLinkedQueue<RegionInfo> left;
    private final BlockLocations locations;
    private volatile boolean isOver;

    StartupLocalityLoader(Collection<RegionInfo> regions, BlockLocations locations) {
        left = new ConcurrentLinkedQueue<>(regions);
        this.locations = locations;
    }

    /** Waits until every region was asked about, but no longer than this; gives back those that were not. */
    List<RegionInfo> waitFor(long waitMs) {
        ExecutorService threads = Executors.newFixedThreadPool(
                THREADS,
                new ThreadFactoryBuilder()
                        .setDaemon(true)
                        .setNameFormat("hearth-locality-start-%d")
                        .build());
        for (int thread = 0; thread < THREADS; thread++) {
            threads.execute(this::askAll);
        }
        threads.shutdown();
        try {
            threads.awaitTermination(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        // A thread that waits for the NameNode still ends after its region: interrupting it would close its connection.
        isOver = true;
        return new ArrayList<>(left);
    }

    private void askAll() {
        while (!isOver && locations.isAskable()) {
            RegionInfo region = left.poll();
            if (region == null) {
                return;
            }
            locations.ask(region);
        }
    }
}
