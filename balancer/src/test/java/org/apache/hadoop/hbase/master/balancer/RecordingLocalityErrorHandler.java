// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.balancer.BlockLocations.LocalityErrorHandler;

/** What went wrong with finding out where blocks are, in words, oldest first. */
final class RecordingLocalityErrorHandler implements LocalityErrorHandler {

    final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void nameNodeUnavailable(Throwable failure) {
        all.add("away: " + failure.getMessage());
    }

    @Override
    public void regionNotRead(RegionInfo region, Throwable failure) {
        all.add(region.getTable() + ": " + failure.getMessage());
    }

    @Override
    public void reportsNotRead(Throwable failure) {
        all.add("reports: " + failure.getMessage());
    }
}
