package io.hearth.doctor.check;

import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.check.Diagnosis.Unread;
import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.Remedy.Advice;
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

    /** So many while the doctor watched are none either, and tell of now. */
    private static final long ENOUGH_LATELY_BYTES = 1L << 20;

    /** Below that something is wrong: replicas that are being written, and a DataNode that was restarted, make a few per cent. */
    private static final double LEAST_LATELY = 0.5;

    private static final double LEAST = 0.1;

    private static final Diagnosis DIAGNOSIS = new Diagnosis(
            "short-circuit-use",
            Severity.FAULT,
            "Short-circuit reads are configured, and local reads go through the DataNode all the same.",
            "HBase's metrics localBytesRead and shortCircuitBytesRead; hadoop checknative",
            new Advice(
                    "Look for \"native-hadoop library\" and \"domain socket\" in the RegionServer's log: libhadoop.so is not in its"
                            + " java.library.path, or the DataNode's socket (" + Key.DOMAIN_SOCKET.key()
                            + ") was lost or deleted, which a restart of the DataNode mends, or its folder belongs to others"));

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
            } else {
                tooFew(server).ifPresent(figures -> unused.add(name + " (" + figures + ")"));
            }
        }
        List<Finding> findings = new ArrayList<>(DIAGNOSIS.foundIfAny(
                unused, "Of what it reads from its own host too little is read short-circuit, or nothing."));
        findings.addAll(DIAGNOSIS.unknowns(unread));
        return findings;
    }

    /** What it read, where that is too little: of late if that tells, else since it started. */
    private static Optional<String> tooFew(FoundRegionServer server) {
        Optional<LocalReads> lately = server.lately().ifKnown().filter(reads -> reads.bytes() >= ENOUGH_LATELY_BYTES);
        if (lately.isPresent()) {
            LocalReads reads = lately.get();
            return reads.shortCircuitBytes() < LEAST_LATELY * reads.bytes()
                    ? Optional.of(Words.bytes(reads.shortCircuitBytes()) + " of " + Words.bytes(reads.bytes())
                            + " in the last " + reads.overMs() / 1_000 + " s")
                    : Optional.empty();
        }
        return server.counters()
                .ifKnown()
                .filter(counters -> counters.shortCircuitBytesRead() < LEAST * counters.localBytesRead())
                .map(counters -> Words.bytes(counters.shortCircuitBytesRead()) + " of "
                        + Words.bytes(counters.localBytesRead()) + " since it started");
    }

    private static Optional<String> whyNotTold(FoundRegionServer server) {
        boolean isToldOfLate = server.lately()
                .ifKnown()
                .filter(reads -> reads.bytes() >= ENOUGH_LATELY_BYTES)
                .isPresent();
        return isToldOfLate
                ? Optional.empty()
                : server.counters().whyUnknown().or(() -> server.counters()
                        .ifKnown()
                        .filter(counters -> counters.localBytesRead() < ENOUGH_BYTES)
                        .map(few -> "it has read less than " + Words.bytes(ENOUGH_BYTES)
                                + " from its own host since it started"));
    }
}
