package io.hearth.demo;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.demo.NameNodeWatch.ServedRegion;
import io.hearth.demo.measure.ClusterReport;
import io.hearth.demo.measure.FsckReport;
import io.hearth.demo.measure.LocalityCensus;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.master.RegionState;

/**
 * The demo's own eyes: the RegionServers' reports as the master hands them to any client, the
 * master's assignments, and the NameNode. Nothing of Hearth is asked. Thread-safe.
 */
public final class ClusterWatch {
    private final EmbeddedCluster cluster;
    private final NameNodeWatch nameNode;

    public ClusterWatch(EmbeddedCluster cluster) throws IOException {
        this.cluster = cluster;
        this.nameNode =
                new NameNodeWatch(cluster.fileSystem(), cluster.configuration(), DemoTable.NAME, DemoTable.FAMILY);
    }

    /** The latest report of every live RegionServer. */
    ClusterReport report() throws IOException {
        return LiveReports.of(cluster.admin(), DemoTable.NAME);
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
    public LocalityCensus census() throws IOException {
        return nameNode.census(served());
    }

    /** HDFS's own fsck over all of HBase's files. */
    public FsckReport fsck() throws Exception {
        return nameNode.fsck();
    }
}
