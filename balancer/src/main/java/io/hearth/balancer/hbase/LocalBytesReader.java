// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.state.LocalBytes;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;

/** Makes local bytes of HBase's distribution of a region's blocks. */
public final class LocalBytesReader {

    private LocalBytesReader() {}

    /** A host with more bytes than there are (a block with two replicas there) has all of them. */
    public static LocalBytes read(HDFSBlocksDistribution blocks) {
        long totalBytes = blocks.getUniqueBlocksTotalWeight();
        Map<String, Long> bytesByHost = new HashMap<>();
        blocks.getHostAndWeights()
                .forEach((host, weight) -> bytesByHost.put(host, Math.min(weight.getWeight(), totalBytes)));
        return LocalBytes.of(totalBytes, bytesByHost);
    }
}
