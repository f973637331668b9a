// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live DataNodes and their volumes by the NameNode's report, the one that the HDFS Balancer asks for. Only an HDFS superuser
 * gets it: who is refused asks again every few minutes. Without it they are learnt from the locations of blocks, where those
 * that hold none of the blocks asked for so far are missing, and so are volumes. One thread at a time.
 */
final class NameNodeDataNodes implements LiveDataNodes {

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeDataNodes.class);

    /** A privilege that is given is used within minutes. */
    private static final long ASK_AGAIN_NANOS = 300_000_000_000L;

    private final DFSClient client;
    private final DataNodeCache cache;
    private final long staleMs;
    private final NameNodeUsage usage;
    private final Consumer<String> locate;
    private final LongSupplier nanoClock;
    private OptionalLong refusedNanos = OptionalLong.empty();

    /**
     * @param usage told of each report
     * @param locate asks for the block locations of the file of this path, and has the cache note them
     */
    NameNodeDataNodes(
            DFSClient client,
            DataNodeCache cache,
            Configuration conf,
            NameNodeUsage usage,
            Consumer<String> locate,
            LongSupplier nanoClock) {
        this.client = client;
        this.cache = cache;
        this.usage = usage;
        this.locate = locate;
        this.nanoClock = nanoClock;
        this.staleMs = conf.getLong(
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_KEY,
                DFSConfigKeys.DFS_NAMENODE_STALE_DATANODE_INTERVAL_DEFAULT);
    }

    @Override
    public Observed<DataNodes> list() {
        if (refusedNanos.isPresent() && nanoClock.getAsLong() - refusedNanos.getAsLong() < ASK_AGAIN_NANOS) {
            return Observed.known(cache.allNodes());
        }
        Observed<DataNodes> report = NameNodeCalls.call(() -> Observed.known(cache.take(report(), staleMs)));
        if (report instanceof Observed.Unknown<DataNodes> unknown && unknown.reason() == UnknownReason.NOT_PERMITTED) {
            if (refusedNanos.isEmpty()) {
                LOG.info(
                        "The NameNode gives its report of DataNodes to HDFS superusers only ({}). DataNodes and racks are"
                                + " learnt from block locations, so that some regions may wait until theirs is met.",
                        unknown.detail());
            }
            refusedNanos = OptionalLong.of(nanoClock.getAsLong());
            return Observed.known(cache.allNodes());
        }
        if (report instanceof Observed.Known<DataNodes>) {
            refusedNanos = OptionalLong.empty();
        }
        return report;
    }

    @Override
    public void renew(DataNode node) {
        if (refusedNanos.isPresent()) {
            cache.metIn(node).ifPresent(locate);
        }
    }

    private DatanodeStorageReport[] report() throws IOException {
        long startNanos = nanoClock.getAsLong();
        try {
            return client.getDatanodeStorageReport(DatanodeReportType.LIVE);
        } finally {
            usage.calledRegularly((nanoClock.getAsLong() - startNanos) / 1_000);
        }
    }
}
