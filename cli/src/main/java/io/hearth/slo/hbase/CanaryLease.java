// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import java.io.IOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The right to split and move canary regions, which one daemon at a time has: a cell in the canary table that its RegionServer drops some
 * time after it was written last. That time is the server's, so clocks of clients do not matter.
 */
final class CanaryLease {

    /** In the first region, before the row that is probed there and beside no key of {@link CanaryTable}. */
    private static final byte[] ROW = {0, 'l', 'e', 'a', 's', 'e'};

    private static final byte[] QUALIFIER = Bytes.toBytes("holder");

    private CanaryLease() {}

    /**
     * Takes the lease if it is free and renews it if this holder has it.
     *
     * @param forMs how long the holder has it then
     * @return whether it has it now
     */
    static boolean acquire(Table table, String holder, long forMs) throws IOException {
        byte[] value = Bytes.toBytes(holder);
        Put put = new Put(ROW).addColumn(CanaryTable.FAMILY, QUALIFIER, value);
        put.setTTL(forMs);
        return table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                                .ifEquals(CanaryTable.FAMILY, QUALIFIER, value)
                                .build(put))
                        .isSuccess()
                || table.checkAndMutate(CheckAndMutate.newBuilder(ROW)
                                .ifNotExists(CanaryTable.FAMILY, QUALIFIER)
                                .build(put))
                        .isSuccess();
    }
}
