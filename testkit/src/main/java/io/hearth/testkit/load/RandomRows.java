// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.load;

import io.hearth.testkit.measure.KeySpace;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows with a value of random bytes, which no codec makes smaller.
 *
 * @param family of the value
 * @param qualifier of the value
 * @param valueBytes its length
 */
public record RandomRows(String family, String qualifier, int valueBytes) {

    private static final long PROGRESS_ROWS = 500;

    Put put(byte[] row, SplittableRandom random) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        return new Put(row).addColumn(Bytes.toBytes(family), Bytes.toBytes(qualifier), value);
    }

    /**
     * Writes one for every key, to all regions in turns.
     *
     * @param rowsDone is told now and then how many are written
     */
    public void fill(Connection connection, TableName table, KeySpace keys, long seed, LongConsumer rowsDone)
            throws IOException {
        List<Integer> all = IntStream.range(0, keys.regions()).boxed().toList();
        fill(connection, table, keys, all, keys.rowsPerRegion(), seed, rowsDone);
    }

    void fill(
            Connection connection,
            TableName table,
            KeySpace keys,
            List<Integer> regions,
            int rowsPerRegion,
            long seed,
            LongConsumer rowsDone)
            throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        long rows = 0;
        try (BufferedMutator mutator = connection.getBufferedMutator(table)) {
            for (int row = 0; row < rowsPerRegion; row++) {
                for (int region : regions) {
                    mutator.mutate(put(keys.row(region, row), random));
                    if (++rows % PROGRESS_ROWS == 0) {
                        rowsDone.accept(rows);
                    }
                }
            }
        }
        rowsDone.accept(rows);
    }
}
