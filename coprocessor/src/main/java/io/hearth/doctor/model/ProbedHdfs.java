// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;

/**
 * What HDFS says to the user as whom the doctor asks. Immutable.
 *
 * @param superuser whether that user may do what only an HDFS superuser may
 * @param directories the folders of HBase that have a policy of their own
 * @param hdfsBalancers those of the HDFS Balancer and Mover that run just now
 */
public record ProbedHdfs(
        ProbeResult<Boolean> superuser,
        ProbeResult<List<ProbedDirectory>> directories,
        ProbeResult<List<String>> hdfsBalancers) {

    /** A NameNode of the name service that HBase's files are in. Immutable. */
    public record ProbedNameNode(String host, ProbeResult<String> version, ProbeResult<ProcessConfig> settings) {}

    /**
     * A folder of HBase with a policy of its own, or with files of one replica. Immutable.
     *
     * @param erasureCoding the name of its erasure coding policy; empty for plain replication
     * @param storagePolicy the name of its storage policy; empty for the default
     * @param singleReplicaFiles how many were found; 0 where all have more, or it was not counted
     */
    public record ProbedDirectory(String path, String erasureCoding, String storagePolicy, int singleReplicaFiles) {}

    /**
     * A DataNode that the NameNode counts as live. Immutable.
     *
     * @param host the name that it gives itself to the NameNode
     * @param rack as the NameNode has it
     * @param balanceBytesPerSecond what block moves may take of it just now
     * @param balanceMoves how many block moves it takes part in at a time just now
     * @param somaxconn the most that its kernel lets wait for a listening socket
     */
    public record ProbedDataNode(
            String host,
            String rack,
            ProbeResult<String> version,
            ProbeResult<ProcessConfig> settings,
            ProbeResult<Long> balanceBytesPerSecond,
            ProbeResult<Long> balanceMoves,
            ProbeResult<Integer> somaxconn) {}
}
