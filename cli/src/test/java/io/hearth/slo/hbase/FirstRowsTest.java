// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows that are read of regions, where the test says when each search ends. */
class FirstRowsTest {

    private static final TableName ORDERS = TableName.valueOf("orders");
    private static final RegionInfo REGION = region("m");

    /** A search that was begun. */
    private record Search(Scan scan, CompletableFuture<List<Result>> found) {}

    private final List<Search> searches = new ArrayList<>();
    private final AsyncTable<?> table = mock(AsyncTable.class);
    private final FirstRows rows = new FirstRows(name -> table);

    private static RegionInfo region(String startKey) {
        return RegionInfoBuilder.newBuilder(ORDERS)
                .setStartKey(Bytes.toBytes(startKey))
                .setEndKey(Bytes.toBytes(startKey + "z"))
                .build();
    }

    @BeforeEach
    void searchesAreKept() {
        when(table.scanAll(any())).thenAnswer(call -> {
            searches.add(new Search(call.getArgument(0), new CompletableFuture<>()));
            return searches.get(searches.size() - 1).found();
        });
    }

    private String row(RegionInfo region) {
        return Bytes.toStringBinary(rows.of(region));
    }

    private static List<Result> result(String row) {
        return List.of(Result.create(List.of(CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
                .setRow(Bytes.toBytes(row))
                .setFamily(Bytes.toBytes("f"))
                .setTimestamp(1)
                .setType(Cell.Type.Put)
                .build())));
    }

    @Test
    void untilTheFirstRowIsFoundTheFirstKeyIsRead() {
        assertThat(row(REGION)).isEqualTo("m");
        assertThat(row(REGION)).isEqualTo("m");
        searches.get(0).found().complete(result("me"));

        assertThat(row(REGION)).isEqualTo("me");
        assertThat(row(REGION)).isEqualTo("me");
        assertThat(searches).hasSize(1);
        assertThat(searches.get(0).scan().getStartRow()).isEqualTo(REGION.getStartKey());
        assertThat(searches.get(0).scan().getStopRow()).isEqualTo(REGION.getEndKey());
        assertThat(searches.get(0).scan().getLimit()).isOne();
    }

    @Test
    void whereTheSearchFailsTheFirstKeyIsReadAndTheNextSearchBegins() {
        assertThat(row(REGION)).isEqualTo("m");
        searches.get(0).found().completeExceptionally(new IOException("timed out"));

        assertThat(row(REGION)).isEqualTo("m");
        assertThat(row(REGION)).isEqualTo("m");
        assertThat(searches).as("one at a time").hasSize(2);

        searches.get(1).found().complete(result("me"));
        assertThat(row(REGION)).isEqualTo("me");
        assertThat(searches).hasSize(2);
    }

    @Test
    void ofARegionWithoutRowsTheFirstKeyIsReadAndNoneIsLookedForAgain() {
        RegionInfo first = RegionInfoBuilder.newBuilder(ORDERS).build();
        assertThat(row(first)).isEqualTo("\\x00");
        searches.get(0).found().complete(List.of());

        assertThat(row(first)).isEqualTo("\\x00");
        assertThat(searches).hasSize(1);
    }

    @Test
    void regionsThatAreGoneAreForgotten() {
        RegionInfo other = region("p");
        row(REGION);
        row(other);
        searches.forEach(search -> search.found().complete(result("x")));

        rows.keepOnly(List.of(REGION));

        assertThat(row(REGION)).isEqualTo("x");
        assertThat(searches).hasSize(2);
        assertThat(row(other)).isEqualTo("p");
        assertThat(searches).hasSize(3);
    }
}
