// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor;

import io.hearth.doctor.model.DataNodeMetrics;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProcessConfig;

/** A DataNode with one thing otherwise. */
final class Nodes {

    private Nodes() {}

    static ProbedDataNode settings(ProbedDataNode node, ProbeResult<ProcessConfig> settings) {
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                node.version(),
                settings,
                node.balanceBytesPerSecond(),
                node.balanceMoves(),
                node.somaxconn(),
                node.readCache(),
                node.metrics(),
                node.listenDrops());
    }

    static ProbedDataNode version(ProbedDataNode node, String version) {
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                ProbeResult.known(version),
                node.settings(),
                node.balanceBytesPerSecond(),
                node.balanceMoves(),
                node.somaxconn(),
                node.readCache(),
                node.metrics(),
                node.listenDrops());
    }

    static ProbedDataNode live(
            ProbedDataNode node, ProbeResult<Long> bandwidth, ProbeResult<Long> moves, ProbeResult<Integer> somaxconn) {
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                node.version(),
                node.settings(),
                bandwidth,
                moves,
                somaxconn,
                node.readCache(),
                node.metrics(),
                node.listenDrops());
    }

    static ProbedDataNode readCache(ProbedDataNode node, ProbeResult<ProbedReadCache> readCache) {
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                node.version(),
                node.settings(),
                node.balanceBytesPerSecond(),
                node.balanceMoves(),
                node.somaxconn(),
                readCache,
                node.metrics(),
                node.listenDrops());
    }

    static ProbedDataNode metrics(ProbedDataNode node, ProbeResult<DataNodeMetrics> metrics) {
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                node.version(),
                node.settings(),
                node.balanceBytesPerSecond(),
                node.balanceMoves(),
                node.somaxconn(),
                node.readCache(),
                metrics,
                node.listenDrops());
    }
}
