// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;

/**
 * A cluster as far as memory, files and disks go, at one time. Immutable.
 *
 * @param atMs when it was asked, in milliseconds since 1970
 * @param servers sorted by host
 * @param tables without those of HBase itself, sorted by name
 * @param splitBytes {@code hbase.hregion.max.filesize} of whoever asks
 * @param replication how many replicas a new file gets
 */
public record ObservedCluster(
        long atMs,
        List<ServerMemory> servers,
        List<TableStore> tables,
        long splitBytes,
        int replication,
        ProbeResult<HdfsSpace> space) {

    public ObservedCluster {
        servers = List.copyOf(servers);
        tables = List.copyOf(tables);
    }

    /**
     * The disks of HDFS as the NameNode counts them: every replica for itself, and only what DataNodes may use. Immutable.
     *
     * @param dataNodes the live ones in service, which the NameNode tells to HDFS superusers alone
     */
    public record HdfsSpace(
            long capacityBytes, long usedBytes, long remainingBytes, ProbeResult<List<NodeSpace>> dataNodes) {}

    /** The disks of one DataNode together. */
    public record NodeSpace(String host, long capacityBytes, long remainingBytes) {}

    /** The store files of all tables, one replica of each. */
    public long storeBytes() {
        return tables.stream().mapToLong(TableStore::storeBytes).sum();
    }
}
