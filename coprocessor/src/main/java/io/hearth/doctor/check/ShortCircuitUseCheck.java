// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.common.config.HumanFormat;
import io.hearth.doctor.check.FindingTemplate.Unreadable;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.LocalReads;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedRegionServer;
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
    private static final long MIN_BYTES = 16L << 20;

    /** So many while the doctor watched are none either, and tell of now. */
    private static final long MIN_RECENT_BYTES = 1L << 20;

    /** Below that something is wrong: replicas that are being written, and a DataNode that was restarted, make a few per cent. */
    private static final double MIN_RECENT = 0.5;

    private static final double MIN = 0.1;

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "short-circuit-use",
            Severity.ERROR,
            "Short-circuit reads are configured, and local reads go through the DataNode all the same.",
            "HBase's metrics localBytesRead and shortCircuitBytesRead; hadoop checknative",
            new Advice(
                    "Look for \"native-hadoop library\" and \"domain socket\" in the RegionServer's log: libhadoop.so is not in its"
                            + " java.library.path, or the DataNode's socket (" + HadoopKey.DOMAIN_SOCKET.key()
                            + ") was lost or deleted, which a restart of the DataNode mends, or its folder belongs to others"));

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        List<String> unused = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        for (ProbedRegionServer server : cluster.regionServers()) {
            if (!cluster.settingsOf(server.settings()).is(HadoopKey.SHORT_CIRCUIT)) {
                continue;
            }
            String name = REGIONSERVER.word() + " " + server.host();
            Optional<String> why = whyNotTold(server);
            if (why.isPresent()) {
                unreadable.add(new Unreadable(name, why.get()));
            } else {
                tooFew(server).ifPresent(figures -> unused.add(name + " (" + figures + ")"));
            }
        }
        List<Finding> findings = new ArrayList<>(TEMPLATE.foundIfAny(
                unused, "Of what it reads from its own host too little is read short-circuit, or nothing."));
        findings.addAll(TEMPLATE.unknowns(unreadable));
        return findings;
    }

    /** What it read, where that is too little: of late if that tells, else since it started. */
    private static Optional<String> tooFew(ProbedRegionServer server) {
        Optional<LocalReads> recentLocalReads =
                server.recentLocalReads().ifKnown().filter(reads -> reads.bytes() >= MIN_RECENT_BYTES);
        if (recentLocalReads.isPresent()) {
            LocalReads reads = recentLocalReads.get();
            return reads.shortCircuitBytes() < MIN_RECENT * reads.bytes()
                    ? Optional.of(HumanFormat.bytes(reads.shortCircuitBytes()) + " of "
                            + HumanFormat.bytes(reads.bytes()) + " in the last " + reads.overMs() / 1_000 + " s")
                    : Optional.empty();
        }
        return server.counters()
                .ifKnown()
                .filter(counters -> counters.shortCircuitBytesRead() < MIN * counters.localBytesRead())
                .map(counters -> HumanFormat.bytes(counters.shortCircuitBytesRead()) + " of "
                        + HumanFormat.bytes(counters.localBytesRead()) + " since it started");
    }

    private static Optional<String> whyNotTold(ProbedRegionServer server) {
        boolean isToldOfLate = server.recentLocalReads()
                .ifKnown()
                .filter(reads -> reads.bytes() >= MIN_RECENT_BYTES)
                .isPresent();
        return isToldOfLate
                ? Optional.empty()
                : server.counters().whyUnknown().or(() -> server.counters()
                        .ifKnown()
                        .filter(counters -> counters.localBytesRead() < MIN_BYTES)
                        .map(few -> "it has read less than " + HumanFormat.bytes(MIN_BYTES)
                                + " from its own host since it started"));
    }
}
