// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * The HDFS client's cache of which addresses are local, seeded so that no host of the embedded cluster is.
 *
 * <p>To the HDFS client every 127.x address is local, and a stream whose blocks are all local never asks the NameNode
 * again where they are ({@code DFSInputStream.allBlocksLocal}). With the cache seeded the streams of every RegionServer
 * follow block moves, as they do on separate machines.
 */
final class LocalAddressCache {
    private LocalAddressCache() {}

    @SuppressWarnings("unchecked")
    static void noneOf(List<ClusterHost> hosts) {
        try {
            Field field = DFSUtilClient.class.getDeclaredField("localAddrMap");
            field.setAccessible(true);
            Map<String, Boolean> localByAddress = (Map<String, Boolean>) field.get(null);
            hosts.forEach(host -> localByAddress.put(host.address(), false));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("DFSUtilClient.localAddrMap is not what it was in Hadoop 3.4.3", e);
        }
    }
}
