// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.NodeReports;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.ObserverKind;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one examination saw of DataNodes, each observation with who made it: the doctor, who is in the healer's process, the NameNode, the
 * DataNodes that report one another as slow, and each DataNode of its own disks. A lost volume makes none suspect: it serves from the
 * others, often for weeks. Pure.
 */
public final class SeenDataNodes {

    private static final String SLOW_PEER = "is slow to take packets";

    private SeenDataNodes() {}

    /**
     * All of it, as seen at the beginning of the examination; what a NameNode reports of others as read from it.
     *
     * @param begunMs by the clock of {@link NodeReports#readMs}
     * @param holdsMs how long what only the doctor reads counts, in milliseconds: until the next examination or longer
     */
    public static List<DataNodeObservation> observations(ProbedCluster cluster, long begunMs, long holdsMs) {
        List<DataNodeObservation> seen = new ArrayList<>();
        Map<String, Set<String>> troublesByHost = new TreeMap<>();
        Set<String> live = new HashSet<>();
        Set<String> asked = new TreeSet<>();
        for (ProbedDataNode node : cluster.dataNodes().ifKnown().orElse(List.of())) {
            live.add(node.host());
            seen.add(DataNodeObservation.byNameNode(node.host(), Outcome.GOOD, "sends heartbeats", begunMs));
            node.metrics().ifKnown().ifPresent(own -> {
                asked.add(node.host());
                own.slowDisks().forEach(volume -> add(node.host(), slow(volume), troublesByHost));
            });
            byDoctor(node, begunMs, seen);
        }
        SlowNodeChecks.reports(cluster).forEach(reports -> {
            long readMs = reports.readMs().orElse(begunMs);
            reports.dead().stream()
                    .filter(host -> !live.contains(host))
                    .forEach(host -> seen.add(DataNodeObservation.byNameNode(
                            host, Outcome.FAILED, "is not among those that live", readMs)));
            reports.slowDisks().forEach(disk -> add(disk.node(), slow(disk.volume()), troublesByHost));
        });
        troublesByHost.forEach((host, troubles) ->
                seen.add(ofItself(host, Outcome.SLOW, String.join(" and ", troubles), begunMs, holdsMs)));
        asked.stream()
                .filter(host -> !troublesByHost.containsKey(host))
                .forEach(host -> seen.add(ofItself(host, Outcome.GOOD, "finds no volume slow", begunMs, holdsMs)));
        seen.addAll(byPeers(cluster, live, begunMs, holdsMs));
        return seen;
    }

    private static DataNodeObservation ofItself(String host, Outcome outcome, String what, long begunMs, long holdsMs) {
        return new DataNodeObservation(ObserverKind.DATANODE, host, host, outcome, what, begunMs, holdsMs);
    }

    private static void add(String host, String trouble, Map<String, Set<String>> troublesByHost) {
        troublesByHost.computeIfAbsent(host, first -> new TreeSet<>()).add(trouble);
    }

    private static String slow(String volume) {
        return "finds its volume " + volume + " slow";
    }

    /**
     * Whom several DataNodes find slow, by any NameNode, and of all others that they do not. One that says so alone is a client like any
     * other.
     */
    private static List<DataNodeObservation> byPeers(
            ProbedCluster cluster, Set<String> live, long begunMs, long holdsMs) {
        Map<String, DataNodeObservation> byHost = new TreeMap<>();
        List<DataNodeObservation> alone = new ArrayList<>();
        SlowNodeChecks.reports(cluster).forEach(reports -> {
            long readMs = reports.readMs().orElse(begunMs);
            live.forEach(host -> byHost.putIfAbsent(
                    host, ofPeers("its peers", host, Outcome.GOOD, "is not slow to take packets", readMs, holdsMs)));
            reports.slowPeers().forEach(peer -> {
                String reporters = String.join(", ", peer.reporters());
                if (peer.reporters().size() > 1) {
                    byHost.put(peer.node(), ofPeers(reporters, peer.node(), Outcome.SLOW, SLOW_PEER, readMs, holdsMs));
                } else {
                    alone.add(DataNodeObservation.byClient(reporters, peer.node(), Outcome.SLOW, SLOW_PEER, readMs));
                }
            });
        });
        alone.addAll(byHost.values());
        return alone;
    }

    private static DataNodeObservation ofPeers(
            String reporters, String host, Outcome outcome, String what, long readMs, long holdsMs) {
        return new DataNodeObservation(ObserverKind.PEERS, reporters, host, outcome, what, readMs, holdsMs);
    }

    /** A web UI that refuses says nothing of the DataNode; one that is silent does if its RPC is as well. */
    private static void byDoctor(ProbedDataNode node, long begunMs, List<DataNodeObservation> seen) {
        if (node.metrics().ifKnown().isPresent()
                || node.balanceBytesPerSecond().ifKnown().isPresent()) {
            seen.add(DataNodeObservation.byHealer(node.host(), Outcome.GOOD, "answers", begunMs));
        } else if (node.metrics()
                .whyUnknown()
                .filter(why -> why.contains("not answered within") || why.contains("does not answer"))
                .isPresent()) {
            seen.add(DataNodeObservation.byHealer(node.host(), Outcome.FAILED, "does not answer", begunMs));
        }
    }

    /** How many DataNodes others find slow; empty where none is reported and they do not measure. */
    public static OptionalInt slowPeers(ProbedCluster cluster) {
        return known(
                (int) SlowNodeChecks.reports(cluster)
                        .flatMap(reports -> reports.slowPeers().stream())
                        .map(NodeReports.SlowPeer::node)
                        .distinct()
                        .count(),
                SlowNodeChecks.measuresPeers(cluster));
    }

    /** How many volumes are slower than the others of their DataNode; empty where none is reported and they are not measured. */
    public static OptionalInt slowDisks(ProbedCluster cluster) {
        return known(SlowNodeChecks.slowDisks(cluster).size(), SlowNodeChecks.measuresDisks(cluster));
    }

    private static OptionalInt known(int slow, boolean isMeasured) {
        return slow > 0 || isMeasured ? OptionalInt.of(slow) : OptionalInt.empty();
    }
}
