// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.NameNodeInspector.ServedRegion;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.measure.ClusterLoadReport;
import io.hearth.testkit.measure.FsckReport;
import io.hearth.testkit.measure.LocalitySnapshot;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.master.RegionState;

/**
 * What the demo reads of its cluster: the RegionServers' reports as the master hands them to any client, the
 * master's assignments, and the NameNode. Nothing of Hearth is asked. Thread-safe.
 */
public final class ClusterInspector {
    private final EmbeddedCluster cluster;
    private final NameNodeInspector nameNode;

    public ClusterInspector(EmbeddedCluster cluster) throws IOException {
        this.cluster = cluster;
        this.nameNode =
                new NameNodeInspector(cluster.fileSystem(), cluster.configuration(), DemoTable.NAME, DemoTable.FAMILY);
    }

    /** The latest report of every live RegionServer. */
    ClusterLoadReport report() throws IOException {
        return ServerLoadReports.of(cluster.admin(), DemoTable.NAME);
    }

    /** Which region is on which host, by the master's assignments; regions that are not open are left out. */
    public List<ServedRegion> served() {
        return cluster.master().getAssignmentManager().getRegionStates().getRegionStateNodes().stream()
                .filter(node -> node.getTable().equals(DemoTable.NAME))
                .filter(node -> node.isInState(RegionState.State.OPEN))
                .map(node -> new ServedRegion(
                        node.getRegionInfo(), node.getRegionLocation().getHostname()))
                .toList();
    }

    /** Every region on its host, with the blocks of its store files as the NameNode lists them now. */
    public LocalitySnapshot localitySnapshot() throws IOException {
        return nameNode.localitySnapshot(served());
    }

    /** HDFS's own fsck over all of HBase's files. */
    public FsckReport fsck() throws Exception {
        return nameNode.fsck();
    }
}
