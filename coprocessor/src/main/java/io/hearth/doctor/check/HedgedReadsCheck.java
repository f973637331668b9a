// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.HEDGED_MS;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedRegionServer;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Severity;
import java.util.List;

/** Whether hedged reads help where they are on: fewer than one in ten that wins is load for nothing. */
final class HedgedReadsCheck implements Check {

    private static final long MIN_SAMPLES = 1_000;
    private static final double MIN_WIN_RATIO = 0.1;

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "hedged-reads-wins",
            Severity.WARNING,
            "The second requests load DataNodes and network, and the first was faster almost always.",
            "HBase's metrics hedgedReads and hedgedReadWins",
            new Advice("Raise " + HEDGED_MS.key() + " to twice the 99th percentile of a read (in ms, a number)"));

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        List<String> places = cluster.regionServers().stream()
                .filter(server -> server.counters()
                        .ifKnown()
                        .filter(HedgedReadsCheck::loses)
                        .isPresent())
                .map(ProbedRegionServer::host)
                .map(host -> REGIONSERVER.word() + " " + host)
                .toList();
        return TEMPLATE.foundIfAny(places, "Fewer than one hedged read in ten is faster than the first request.");
    }

    private static boolean loses(ServerCounters counters) {
        return counters.hedgedReads() >= MIN_SAMPLES && counters.hedgedWins() < MIN_WIN_RATIO * counters.hedgedReads();
    }
}
