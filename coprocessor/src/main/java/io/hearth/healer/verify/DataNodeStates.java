// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.verify.DataNodeObservation.ObserverKind;
import io.hearth.healer.verify.DataNodeObservation.Outcome;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The state of the DataNodes on each host, from the observations of all who use them together: {@link DataNodeState}.
 *
 * <p><b>Goals.</b> A DataNode that is slow, hangs or has died is known within half a minute of its use, where the NameNode takes ten; one
 * that a single client can't reach is not called dead.
 *
 * <p><b>Algorithm.</b> Of each observer its last observation of the last {@value #RECENT_MS} ms counts. A client to which most of
 * {@value #ENOUGH_HOSTS} hosts or more are bad is at fault itself, and what it sees of bad hosts is left out; what was only late counts
 * from the second time in a row on. A host is <i>sick</i> if the NameNode, the DataNode itself or several partners say so; if at least
 * two clients see it bad, and more than see it good; or if one does, {@value #IN_A_ROW} times in a row, while nobody sees it good. A sick
 * host is suspect. It is dead once the NameNode says so, or once it has been suspect for {@value #CONFIRM_MS} ms while two clients or
 * more fail at it and none succeeds; the NameNode's heartbeats are no objection. A suspect host is healthy once nothing speaks against
 * it and somebody saw it good since, where others than the NameNode did {@value #RECOVER_MS} ms after the last of them. A dead one is
 * probed once a client sees it good, or once clients' failures are too old to count; what they saw is forgotten then, and it is healthy
 * {@value #RECOVER_MS} ms later. Within {@value #RELAPSE_MS} ms after that each further time doubles this wait, up to
 * {@value #MOST_DOUBLED} times.
 *
 * <p>Times are milliseconds of one clock that does not go back. Thread-safe.
 */
public final class DataNodeStates {

    static final long RECENT_MS = 300_000;
    static final long CONFIRM_MS = 30_000;
    static final long RECOVER_MS = 120_000;
    static final long PROBE_AFTER_MS = 600_000;
    static final long RELAPSE_MS = 3_600_000;
    static final int IN_A_ROW = 3;
    static final int LATE_IN_A_ROW = 2;
    static final int ENOUGH_HOSTS = 3;
    static final int MOST_DOUBLED = 4;

    private static final int ENOUGH_CLIENTS = 2;
    private static final long FORGET_MS = 86_400_000;
    private static final int NAMED = 3;

    /** More observers of one host are not kept: the longest unheard goes. */
    private static final int MAX_OBSERVERS = 64;

    /** Where more than one in so many hosts is bad, the cause is probably shared: the network, or HDFS. */
    private static final int MOST_BAD_ONE_IN = 3;

    private final Map<String, Host> hosts = new TreeMap<>();
    private long takenMs = Long.MIN_VALUE / 2;

    /** What one observer saw last. */
    private record Last(DataNodeObservation seen, int badInARow) {}

    /**
     * A host whose DataNodes are not healthy. Immutable.
     *
     * @param sinceMs since when it is in this state, by the clock of the observations
     * @param why the end of "its DataNode ...", with who says so
     */
    public record UnhealthyHost(String host, DataNodeState state, long sinceMs, String why) {}

    private static final class Host {

        private final Map<String, Last> lastByObserver = new LinkedHashMap<>();
        private DataNodeState state = DataNodeState.HEALTHY;
        private long sinceMs;
        private long lastBadMs = Long.MIN_VALUE / 2;
        private long lastGoodMs = Long.MIN_VALUE / 2;
        private long recoveredMs = Long.MIN_VALUE / 2;
        private int doubled;
        private String why = "";

        private void change(DataNodeState next, long nowMs) {
            state = state.to(next);
            sinceMs = nowMs;
        }

        private void add(DataNodeObservation seen) {
            String key = seen.kind() + " " + seen.observer();
            Last before = lastByObserver.remove(key);
            int inARow = !seen.isBad() ? 0 : before == null ? 1 : before.badInARow() + 1;
            lastByObserver.put(key, new Last(seen, inARow));
            if (lastByObserver.size() > MAX_OBSERVERS) {
                lastByObserver.remove(lastByObserver.keySet().iterator().next());
            }
        }

        /** What the NameNode says holds until it says otherwise. */
        private void forgetOld(long nowMs) {
            lastByObserver
                    .values()
                    .removeIf(last -> nowMs - last.seen().atMs()
                            > (last.seen().kind() == ObserverKind.NAMENODE ? FORGET_MS : RECENT_MS));
        }

        private Stream<Last> by(ObserverKind kind) {
            return lastByObserver.values().stream().filter(last -> last.seen().kind() == kind);
        }
    }

    /** Takes these in, and works out the states as they are now. */
    public synchronized void take(Collection<DataNodeObservation> observations, long nowMs) {
        takenMs = observations.isEmpty() ? takenMs : nowMs;
        for (DataNodeObservation seen : observations) {
            hosts.computeIfAbsent(seen.host(), first -> new Host()).add(seen);
        }
        hosts.values().forEach(host -> host.forgetOld(nowMs));
        Set<String> atFault = clientsAtFault();
        hosts.values().forEach(host -> update(host, atFault, nowMs));
        hosts.values()
                .removeIf(host -> host.lastByObserver.isEmpty()
                        && (host.state == DataNodeState.HEALTHY || nowMs - host.lastBadMs > FORGET_MS));
    }

    /** The clients that see most of many hosts bad. */
    private Set<String> clientsAtFault() {
        Map<String, int[]> seenAndBad = new HashMap<>();
        hosts.values().forEach(host -> host.by(ObserverKind.CLIENT).forEach(last -> {
            int[] counts = seenAndBad.computeIfAbsent(last.seen().observer(), first -> new int[2]);
            counts[0]++;
            counts[1] += last.seen().isBad() ? 1 : 0;
        }));
        return seenAndBad.entrySet().stream()
                .filter(client ->
                        client.getValue()[0] >= ENOUGH_HOSTS && 2 * client.getValue()[1] > client.getValue()[0])
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static void update(Host host, Set<String> atFault, long nowMs) {
        List<Last> bad = host.lastByObserver.values().stream()
                .filter(last -> last.seen().isBad())
                .filter(last -> last.seen().kind() != ObserverKind.CLIENT
                        || (!atFault.contains(last.seen().observer()) && counts(last)))
                .toList();
        List<Last> badClients = bad.stream()
                .filter(last -> last.seen().kind() == ObserverKind.CLIENT)
                .toList();
        long goodClients = host.by(ObserverKind.CLIENT)
                .filter(last -> !last.seen().isBad())
                .count();
        boolean isListedDead = bad.stream()
                .anyMatch(last -> last.seen().kind() == ObserverKind.NAMENODE
                        && last.seen().outcome() == Outcome.FAILED);
        boolean isSick = isListedDead || isSick(bad, badClients, goodClients);
        if (isSick) {
            host.why = why(bad);
            // What the NameNode says is over once it says otherwise.
            host.lastBadMs = Math.max(
                    host.lastBadMs,
                    bad.stream()
                            .filter(last -> last.seen().kind() != ObserverKind.NAMENODE)
                            .mapToLong(last -> last.seen().atMs())
                            .max()
                            .orElse(Long.MIN_VALUE / 2));
        }
        host.lastGoodMs = Math.max(
                host.lastGoodMs,
                host.lastByObserver.values().stream()
                        .filter(last -> !last.seen().isBad())
                        .mapToLong(last -> last.seen().atMs())
                        .max()
                        .orElse(Long.MIN_VALUE / 2));
        long failed = badClients.stream()
                .filter(last -> last.seen().outcome() == Outcome.FAILED)
                .count();
        boolean nobodyReachesIt = failed >= ENOUGH_CLIENTS && goodClients == 0;
        next(host, isSick, isListedDead, nobodyReachesIt, nowMs);
    }

    /** A client that was served late once may have been late for another reason. */
    private static boolean counts(Last ofClient) {
        return ofClient.seen().outcome() == Outcome.FAILED || ofClient.badInARow() >= LATE_IN_A_ROW;
    }

    private static boolean isSick(List<Last> bad, List<Last> badClients, long goodClients) {
        if (bad.size() > badClients.size()) {
            return true;
        }
        return badClients.size() >= ENOUGH_CLIENTS
                ? badClients.size() > goodClients
                : goodClients == 0 && badClients.stream().anyMatch(last -> last.badInARow() >= IN_A_ROW);
    }

    private static void next(Host host, boolean isSick, boolean isListedDead, boolean nobodyReachesIt, long nowMs) {
        boolean hasRecovered = !isSick
                && host.lastGoodMs > host.lastBadMs
                && nowMs
                                - Math.max(
                                        host.lastBadMs,
                                        host.state == DataNodeState.PROBING ? host.sinceMs : Long.MIN_VALUE / 2)
                        >= RECOVER_MS << host.doubled;
        switch (host.state) {
            case HEALTHY -> {
                if (isSick) {
                    host.doubled = nowMs - host.recoveredMs < RELAPSE_MS ? Math.min(MOST_DOUBLED, host.doubled + 1) : 0;
                    host.change(DataNodeState.SUSPECT, nowMs);
                    next(host, true, isListedDead, nobodyReachesIt, nowMs);
                }
            }
            case SUSPECT -> {
                if (isListedDead || (nobodyReachesIt && nowMs - host.sinceMs >= CONFIRM_MS)) {
                    host.change(DataNodeState.DEAD, nowMs);
                } else if (hasRecovered) {
                    recovered(host, nowMs);
                }
            }
            case DEAD -> {
                boolean isBack = !isListedDead && !nobodyReachesIt && host.lastGoodMs > host.lastBadMs;
                if (isBack || (!isListedDead && nowMs - host.lastBadMs >= PROBE_AFTER_MS)) {
                    host.change(DataNodeState.PROBING, nowMs);
                    host.lastByObserver
                            .values()
                            .removeIf(last -> last.seen().isBad() && last.seen().kind() == ObserverKind.CLIENT);
                }
            }
            case PROBING -> {
                if (isListedDead || nobodyReachesIt) {
                    host.change(DataNodeState.DEAD, nowMs);
                } else if (isSick) {
                    host.change(DataNodeState.SUSPECT, nowMs);
                } else if (hasRecovered) {
                    recovered(host, nowMs);
                }
            }
        }
    }

    private static void recovered(Host host, long nowMs) {
        host.change(DataNodeState.HEALTHY, nowMs);
        host.recoveredMs = nowMs;
        host.why = "";
    }

    /** Each kind of trouble once, with the first of those who say so. */
    private static String why(List<Last> bad) {
        Map<String, Set<String>> observersByWhat = new TreeMap<>();
        bad.forEach(last -> observersByWhat
                .computeIfAbsent(last.seen().what(), first -> new TreeSet<>())
                .add(last.seen().observer()));
        return observersByWhat.entrySet().stream()
                .map(what -> what.getKey() + " (seen by " + named(what.getValue()) + ")")
                .collect(Collectors.joining("; "));
    }

    private static String named(Set<String> observers) {
        String first = observers.stream().limit(NAMED).collect(Collectors.joining(", "));
        return observers.size() > NAMED ? first + " and " + (observers.size() - NAMED) + " more" : first;
    }

    /** The state of the DataNodes on this host; one of which nothing was seen is healthy. */
    public synchronized DataNodeState of(String host) {
        Host known = hosts.get(host.toLowerCase(Locale.ROOT));
        return known == null ? DataNodeState.HEALTHY : known.state;
    }

    /** Those that are not healthy, sorted by host. */
    public synchronized List<UnhealthyHost> unhealthy() {
        return hosts.entrySet().stream()
                .filter(host -> host.getValue().state != DataNodeState.HEALTHY)
                .map(host -> new UnhealthyHost(
                        host.getKey(), host.getValue().state, host.getValue().sinceMs, host.getValue().why))
                .toList();
    }

    /** How many hosts are in each state, of those of which something was seen. */
    public synchronized Map<DataNodeState, Integer> counts() {
        Map<DataNodeState, Integer> counts = new EnumMap<>(DataNodeState.class);
        for (DataNodeState state : DataNodeState.values()) {
            counts.put(state, 0);
        }
        hosts.values().forEach(host -> counts.merge(host.state, 1, Integer::sum));
        return counts;
    }

    /**
     * The hosts to which nothing is sent that can go elsewhere, with the reason as the end of a sentence. None where more than a third of
     * all hosts are: then what they share is sick, and elsewhere is no better; and none where nobody has seen anything for
     * {@value #RECENT_MS} ms.
     */
    public synchronized Map<String, String> badTargets(long nowMs) {
        if (nowMs - takenMs > RECENT_MS) {
            return Map.of();
        }
        Map<String, String> bad = new TreeMap<>();
        unhealthy().stream()
                .filter(host -> host.state().isBadTarget())
                .forEach(host -> bad.put(host.host(), "its DataNode " + host.why()));
        return bad.size() > 1 && bad.size() * MOST_BAD_ONE_IN > hosts.size() ? Map.of() : bad;
    }
}
