// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.STREAMS_CACHE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedRegionServer;
import io.hearth.doctor.model.Severity;
import java.util.List;

/** Whether the cache of open short-circuit replicas has room for the blocks that a RegionServer reads. */
final class ShortCircuitCacheCheck implements Check {

    @Override
    public String name() {
        return "short-circuit-cache";
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        List<ProbedRegionServer> tooSmall = cluster.regionServers().stream()
                .filter(server -> cluster.settingsOf(server.settings()).is(HadoopKey.SHORT_CIRCUIT))
                .filter(server -> cluster.settingsOf(server.settings()).number(STREAMS_CACHE) < server.storeFiles())
                .toList();
        int mostFiles =
                tooSmall.stream().mapToInt(ProbedRegionServer::storeFiles).max().orElse(0);
        return new FindingTemplate(
                        name(),
                        Severity.WARNING,
                        "Replicas are opened over the domain socket again and again; each takes a round trip to the DataNode and a slot.",
                        "ShortCircuitCache, which closes the longest unused above that number",
                        // A block is two file descriptors, and there is some room to grow.
                        ConfigLine.of(
                                REGIONSERVER,
                                STREAMS_CACHE,
                                Math.max(4_096, Integer.highestOneBit(Math.max(1, mostFiles)) * 2)))
                .foundIfAny(
                        tooSmall.stream()
                                .map(server -> REGIONSERVER.word() + " " + server.host())
                                .toList(),
                        "Fewer replicas are kept open than there are store files: " + STREAMS_CACHE.key()
                                + ", and up to " + mostFiles + " store files.");
    }
}
