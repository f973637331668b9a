package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.HEDGED_MS;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Remedy.Advice;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Severity;
import java.util.List;

/** Whether hedged reads help where they are on: fewer than one in ten that wins is load for nothing. */
final class HedgedReadsCheck implements Check {

    private static final long ENOUGH_TO_JUDGE = 1_000;
    private static final double FEWEST_WINS = 0.1;

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "hedged-reads-wins",
            Severity.COST,
            "The second requests load DataNodes and network, and the first was faster almost always.",
            "HBase's metrics hedgedReads and hedgedReadWins",
            new Advice("Raise " + HEDGED_MS.key() + " to twice the 99th percentile of a read (in ms, a number)"));

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<String> places = cluster.regionServers().stream()
                .filter(server -> server.counters()
                        .ifKnown()
                        .filter(HedgedReadsCheck::loses)
                        .isPresent())
                .map(FoundRegionServer::host)
                .map(host -> REGIONSERVER.word() + " " + host)
                .toList();
        return DIAGNOSIS.foundIfAny(places, "Fewer than one hedged read in ten is faster than the first request.");
    }

    private static boolean loses(ServerCounters counters) {
        return counters.hedgedReads() >= ENOUGH_TO_JUDGE
                && counters.hedgedWins() < FEWEST_WINS * counters.hedgedReads();
    }
}
