// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/** The row of each region of the operator's tables that is read, which is looked for when it is first asked for. Thread-safe. */
final class FirstRows {

    private final Function<TableName, AsyncTable<?>> tables;
    private final Map<String, CompletableFuture<byte[]>> rowByRegion = new ConcurrentHashMap<>();

    /** @param tables as they are scanned for it */
    FirstRows(Function<TableName, AsyncTable<?>> tables) {
        this.tables = tables;
    }

    /** The first row of the region, its first key if it has no rows; empty while that is not known yet. */
    Optional<byte[]> of(RegionInfo region) {
        CompletableFuture<byte[]> known = rowByRegion.computeIfAbsent(region.getEncodedName(), name -> find(region));
        if (!known.isDone()) {
            return Optional.empty();
        }
        if (known.isCompletedExceptionally()) {
            rowByRegion.remove(region.getEncodedName());
            return Optional.empty();
        }
        return Optional.of(known.join());
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
