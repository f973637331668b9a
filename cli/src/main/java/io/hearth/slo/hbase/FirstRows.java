// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/**
 * The row of each region of the operator's tables that is read: its first one, or its first key if it has no rows. It is looked for when
 * it is first asked for, and again where that failed. Until it is known the region's first key is read: a server that answers neither is
 * to fail by that, not to be left out for want of a row. Thread-safe.
 */
final class FirstRows {

    private final Function<TableName, AsyncTable<?>> tables;
    private final Map<String, CompletableFuture<byte[]>> rowByRegion = new ConcurrentHashMap<>();

    /** @param tables as they are scanned for it */
    FirstRows(Function<TableName, AsyncTable<?>> tables) {
        this.tables = tables;
    }

    /** The row of this region; it does not wait for the search. */
    byte[] of(RegionInfo region) {
        CompletableFuture<byte[]> found = rowByRegion.compute(
                region.getEncodedName(),
                (name, before) -> before == null || before.isCompletedExceptionally() ? find(region) : before);
        return found.isDone() && !found.isCompletedExceptionally() ? found.join() : CanaryTable.row(region);
    }

    /** Forgets those of all regions but these. */
    void keepOnly(Collection<RegionInfo> regions) {
        rowByRegion
                .keySet()
                .retainAll(regions.stream().map(RegionInfo::getEncodedName).collect(Collectors.toSet()));
    }

    private CompletableFuture<byte[]> find(RegionInfo region) {
        Scan scan = new Scan()
                .withStartRow(region.getStartKey())
                .withStopRow(region.getEndKey())
                .setFilter(new FirstKeyOnlyFilter())
                .setCacheBlocks(false)
                .setLimit(1);
        CompletableFuture<List<Result>> found = tables.apply(region.getTable()).scanAll(scan);
        return found.thenApply(
                rows -> rows.isEmpty() ? CanaryTable.row(region) : rows.get(0).getRow());
    }
}
