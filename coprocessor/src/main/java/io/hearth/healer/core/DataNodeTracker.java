// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.HealerServices.DataNodeProber;
import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.move.MoveExecutor.MoveAnswer;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.verify.DataNodeHealth;
import io.hearth.healer.verify.DataNodeObservation;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import io.hearth.healer.verify.DataNodeState;
import io.hearth.healer.verify.DataNodeStates;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import io.hearth.healer.verify.MoveObservations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/**
 * The DataNodes as the NameNode last listed them, and how they have fared since; those that are sick by what all who use them see are
 * marked so. Not thread-safe.
 */
final class DataNodeTracker {

    /** A DataNode's state changes in 30 seconds at the earliest, when it becomes stale. */
    private static final long RECENT_MS = 10_000;

    /** So many hosts are named in a line. */
    private static final int NAMED_HOSTS = 5;

    private static final long LOGGED_AGAIN_MS = 3_600_000;

    /** How long a host is missed whose DataNode is not listed any more, though nobody has taken it out of service. */
    private static final long REMEMBERED_MS = 86_400_000;

    /**
     * How long a NameNode has to say that a DataNode is missing or late until it is believed: after its restart DataNodes come back one
     * after the other, and one that hung has heard nobody.
     */
    private static final long NAMENODE_CONFIRMS_MS = 60_000;

    /** Each time all states are worked out anew, of a thousand hosts and those who see them. */
    private static final long TELL_EVERY_MS = 1_000;

    private final LiveDataNodes nameNode;
    private final Logger log;
    private final DataNodeHealth health = new DataNodeHealth();
    private final DataNodeStates states;
    private final SuspectProber prober;
    private final Map<String, Listed> listedByHost = new HashMap<>();
    private final Map<String, Long> doubtedMsByHost = new HashMap<>();
    private final List<DataNodeObservation> seen = new ArrayList<>();
    private long toldMs = Long.MIN_VALUE / 2;
    private Map<String, DataNodeState> loggedStates = Map.of();
    private Optional<DataNodes> last = Optional.empty();
    private List<DataNode> changed = new ArrayList<>();
    private Set<String> loggedWithoutRack = Set.of();
    private long loggedMs;
    private long listedMs;

    /** @param states told what the NameNode and block moves say of DataNodes; others may tell it more */
    DataNodeTracker(LiveDataNodes nameNode, DataNodeProber prober, DataNodeStates states, Logger log) {
        this.nameNode = nameNode;
        this.prober = new SuspectProber(prober);
        this.states = states;
        this.log = log;
    }

    /** The DataNodes as they were known some seconds ago. */
    Observed<DataNodes> recent(long nowMs) {
        return noOlderThan(RECENT_MS, nowMs);
    }

    /** The DataNodes as they were known so long ago at most; they are asked for where that is longer. */
    Observed<DataNodes> noOlderThan(long mostMs, long nowMs) {
        if (last.isPresent() && nowMs - listedMs < mostMs) {
            return Observed.known(last.get());
        }
        Observed<DataNodes> fresh = list();
        if (nowMs - listedMs > 2 * NAMENODE_CONFIRMS_MS || fresh instanceof Observed.Unknown<DataNodes>) {
            // It may have been restarted since.
            doubtedMsByHost.clear();
        }
        listedMs = nowMs;
        fresh.ifKnown().ifPresent(listed -> {
            changed.addAll(health.take(listed, nowMs));
            logWithoutRack(listed, nowMs);
            remember(listed, nowMs);
            if (listed.isReport()) {
                states.take(heard(listed, nowMs), nowMs);
            }
            logStates();
        });
        last = fresh.ifKnown().map(listed -> marked(listed, nowMs));
        return fresh instanceof Observed.Unknown<DataNodes> ? fresh : Observed.known(last.orElse(DataNodes.NONE));
    }

    /**
     * The DataNodes after the NameNode was asked again for those on this host, whose free space was learnt from block locations some time
     * ago; empty where it told of none of them.
     */
    Optional<DataNodes> renewed(String host, long nowMs) {
        List<DataNode> old = last.stream()
                .flatMap(nodes ->
                        nodes.on(host).stream().filter(node -> !nodes.wasMentionedWithin(node.id(), RECENT_MS)))
                .toList();
        if (old.isEmpty()) {
            return Optional.empty();
        }
        old.forEach(nameNode::renew);
        return noOlderThan(0, nowMs).ifKnown().filter(nodes -> old.stream()
                .anyMatch(node -> nodes.wasMentionedWithin(node.id(), RECENT_MS)));
    }

    /** What answers to block moves say of DataNodes, and which are slow even at the lowest rate. */
    void moved(List<MoveAnswer> answers, Collection<DataNode> slowest, long nowMs) {
        answers.forEach(answer -> seen.addAll(MoveObservations.of(answer, nowMs)));
        slowest.forEach(node -> seen.add(MoveObservations.slowest(node, nowMs)));
        if (!seen.isEmpty() && nowMs - toldMs >= TELL_EVERY_MS) {
            tell(nowMs);
        }
    }

    /** Has those asked that are not healthy, or that somebody has failed to reach, and looks whether one of them is healthy by now. */
    void probe(long nowMs) {
        Set<String> doubted = states.doubted();
        seen.addAll(prober.probe(
                doubted.stream()
                        .flatMap(host -> Optional.ofNullable(listedByHost.get(host)).stream())
                        .map(Listed::node)
                        .toList(),
                nowMs));
        if (!doubted.isEmpty() && nowMs - toldMs >= TELL_EVERY_MS) {
            tell(nowMs);
        }
    }

    private void tell(long nowMs) {
        states.take(seen, nowMs);
        seen.clear();
        toldMs = nowMs;
        logStates();
    }

    /** Whether one is sick, or may be, so that it is worth while to ask the NameNode how it fares. */
    boolean hasDoubted() {
        return !doubtedMsByHost.isEmpty() || !states.doubted().isEmpty();
    }

    /** How many are in each state that is not healthy. */
    void show(HealingMetrics metrics) {
        Map<DataNodeState, Integer> counts = states.counts();
        metrics.set(HealingGauge.DATANODES_SUSPECT, counts.getOrDefault(DataNodeState.SUSPECT, 0));
        metrics.set(HealingGauge.DATANODES_DEAD, counts.getOrDefault(DataNodeState.DEAD, 0));
        metrics.set(HealingGauge.DATANODES_PROBING, counts.getOrDefault(DataNodeState.PROBING, 0));
    }

    /** The DataNode that a host had when it was last listed; of several there one. */
    private record Listed(DataNode node, long atMs) {}

    private void remember(DataNodes listed, long nowMs) {
        listed.byId().values().forEach(node -> listedByHost.put(node.host(), new Listed(node, nowMs)));
        listedByHost.values().removeIf(host -> nowMs - host.atMs() > REMEMBERED_MS);
    }

    /** What the NameNode's report says of each host, of several DataNodes there the worst; nothing of one that it doubts since lately. */
    private List<DataNodeObservation> heard(DataNodes listed, long nowMs) {
        Map<String, DataNodeObservation> saidByHost = new HashMap<>();
        listedByHost.forEach((host, last) -> {
            if (last.atMs() < nowMs && last.node().state() != ServiceState.NOT_IN_SERVICE) {
                saidByHost.put(host, said(host, Outcome.FAILED, "is not among those that live", nowMs));
            }
        });
        listed.byId().values().forEach(node -> {
            if (node.state() == ServiceState.STALE) {
                saidByHost.put(
                        node.host(), said(node.host(), Outcome.SLOW, "has sent no heartbeat for a while", nowMs));
            } else {
                saidByHost.putIfAbsent(node.host(), said(node.host(), Outcome.GOOD, "sends heartbeats", nowMs));
            }
        });
        saidByHost.forEach((host, said) -> {
            if (said.outcome() == Outcome.GOOD) {
                doubtedMsByHost.remove(host);
            } else {
                doubtedMsByHost.putIfAbsent(host, nowMs);
            }
        });
        doubtedMsByHost.keySet().retainAll(saidByHost.keySet());
        saidByHost
                .keySet()
                .removeIf(
                        host -> nowMs - doubtedMsByHost.getOrDefault(host, Long.MIN_VALUE / 2) < NAMENODE_CONFIRMS_MS);
        return List.copyOf(saidByHost.values());
    }

    private static DataNodeObservation said(String host, Outcome outcome, String what, long nowMs) {
        return DataNodeObservation.byNameNode(host, outcome, what, nowMs);
    }

    private DataNodes marked(DataNodes listed, long nowMs) {
        Set<String> bad = states.badTargets(nowMs).keySet();
        return bad.isEmpty()
                ? listed
                : listed.with(node -> node.state() == ServiceState.IN_SERVICE && bad.contains(node.host())
                        ? node.in(ServiceState.SUSPECT)
                        : node);
    }

    private void logStates() {
        Map<String, DataNodeState> now = new TreeMap<>();
        for (UnhealthyHost host : states.unhealthy()) {
            now.put(host.host(), host.state());
            if (host.state() != loggedStates.get(host.host())) {
                log.warn("The DataNode on {} is {}: it {}.", host.host(), word(host.state()), host.why());
            }
        }
        loggedStates.keySet().stream()
                .filter(host -> !now.containsKey(host))
                .forEach(host -> log.info("The DataNode on {} is healthy again.", host));
        loggedStates = now;
    }

    private static String word(DataNodeState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Once an hour while there are others than those named; where all are without, the cluster has no racks. */
    private void logWithoutRack(DataNodes listed, long nowMs) {
        List<DataNode> without = listed.byId().values().stream()
                .filter(node -> node.rack().equals(DataNode.DEFAULT_RACK))
                .toList();
        Set<String> hosts = without.stream().map(DataNode::host).collect(Collectors.toCollection(TreeSet::new));
        if (without.size() == listed.byId().size()
                || loggedWithoutRack.containsAll(hosts)
                || (!loggedWithoutRack.isEmpty() && nowMs - loggedMs < LOGGED_AGAIN_MS)) {
            return;
        }
        loggedWithoutRack = hosts;
        loggedMs = nowMs;
        log.warn("DataNodes without a rack: " + without.size() + " of "
                + listed.byId().size() + " ("
                + hosts.stream().limit(NAMED_HOSTS).collect(Collectors.joining(", "))
                + (hosts.size() > NAMED_HOSTS ? ", ..." : "")
                + "). The NameNode's rack script (net.topology.script.file.name) says nothing of them; HDFS and healing"
                + " take " + DataNode.DEFAULT_RACK + " for one rack more. Mend the script and restart the NameNode.");
    }

    /** A list that can't be read is no fault of the region for whose sake it is asked for. */
    private Observed<DataNodes> list() {
        try {
            return nameNode.list();
        } catch (RuntimeException failure) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "the list of DataNodes: " + failure);
        }
    }

    /** The last list, however old; empty where there is none. */
    Optional<DataNodes> last() {
        return last;
    }

    /** How they have fared, by the last list. */
    DataNodeHealth health() {
        return health;
    }

    /** The DataNodes that have left or come since the last time. */
    List<DataNode> takeChanged() {
        List<DataNode> taken = changed;
        changed = new ArrayList<>();
        return taken;
    }
}
