// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.state.LocalBytes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;

/** Makes local bytes of HBase's distribution of a region's blocks. */
public final class LocalBytesReader {

    private LocalBytesReader() {}

    /** A host with more bytes than there are (a block with two replicas there) has all of them. */
    public static LocalBytes read(HDFSBlocksDistribution blocks) {
        return read(blocks, UnaryOperator.identity());
    }

    /**
     * The same with shared names.
     *
     * @param names gives the one object that stands for all equal names of hosts
     */
    public static LocalBytes read(HDFSBlocksDistribution blocks, UnaryOperator<String> names) {
        long totalBytes = blocks.getUniqueBlocksTotalWeight();
        Map<String, Long> bytesByHost = new HashMap<>();
        blocks.getHostAndWeights()
                .forEach(
                        (host, weight) -> bytesByHost.put(names.apply(host), Math.min(weight.getWeight(), totalBytes)));
        return LocalBytes.of(totalBytes, bytesByHost);
    }
}
