package io.hearth.doctor.check;

import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy.Advice;
import io.hearth.doctor.model.ServerCounters;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether short-circuit reads that are on are also done. From outside nobody sees whether a process has loaded the native library; what it has read from
 * its own host, and how, tells.
 */
final class ShortCircuitUseCheck implements Check {

    /** So many local bytes are no accident, such as the first reads while the DataNode was still starting. */
    private static final long ENOUGH_BYTES = 16L << 20;

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "short-circuit-use",
            Severity.FAULT,
            "Short-circuit reads are configured and every local read still goes through the DataNode.",
            "HBase's metrics localBytesRead and shortCircuitBytesRead; hadoop checknative",
            new Advice(
                    "Look for \"native-hadoop library\" and \"domain socket\" in the RegionServer's log: most often libhadoop.so is not in its"
                            + " java.library.path, or " + Key.DOMAIN_SOCKET.key()
                            + " is not the DataNode's, or its folder belongs to others"));

    @Override
    public String name() {
        return DIAGNOSIS.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<String> unused = new ArrayList<>();
        List<Unread> unread = new ArrayList<>();
        for (FoundRegionServer server : cluster.regionServers()) {
            if (!cluster.settingsOf(server.settings()).is(Key.SHORT_CIRCUIT)) {
                continue;
            }
            String name = REGIONSERVER.word() + " " + server.host();
            Optional<String> why = whyNotTold(server);
            if (why.isPresent()) {
                unread.add(new Unread(name, why.get()));
            } else if (server.counters()
                    .ifKnown()
                    .filter(ShortCircuitUseCheck::usesNone)
                    .isPresent()) {
                unused.add(name);
            }
        }
        List<Finding> findings = new ArrayList<>(DIAGNOSIS.foundIfAny(
                unused, "None of the bytes that were read from the own host were read short-circuit."));
        findings.addAll(DIAGNOSIS.unknowns(unread));
        return findings;
    }

    private static boolean usesNone(ServerCounters counters) {
        return counters.shortCircuitBytesRead() == 0;
    }

    private static Optional<String> whyNotTold(FoundRegionServer server) {
        return server.counters().whyUnknown().or(() -> server.counters()
                .ifKnown()
                .filter(counters -> counters.localBytesRead() < ENOUGH_BYTES)
                .map(few ->
                        "it has read less than " + Words.bytes(ENOUGH_BYTES) + " from its own host since it started"));
    }
}
