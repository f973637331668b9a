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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The state of the DataNodes on each host, from the observations of all who use them together: {@link DataNodeState}.
 *
 * <p><b>Goals.</b> A DataNode that is slow, hangs or has died is known within half a minute of its use, where the NameNode takes ten
 * minutes; one that a single client can't reach is not called dead.
 *
 * <p><b>Algorithm.</b> Of each observer its last observation counts for as long as it holds ({@link DataNodeObservation#holdsMs}).
 * A failure counts no longer than {@value #OVER_MS} ms if the NameNode or a client saw the host good
 * after it: then it is over. An observer, be it the NameNode, to which most of {@value #ENOUGH_HOSTS} hosts or more are bad is at fault
 * itself, and what it sees of bad hosts is left out; what was only late counts from the second time in a row on. A host is <i>sick</i> if
 * the NameNode, the DataNode itself or several partners say so; if at least two clients see it bad, and more than have seen it good since;
 * or if one does, {@value #IN_A_ROW} times in a row, and nobody has seen it good lately. What is sick stays so while one client fails and
 * none has succeeded since.
 *
 * <p>A sick host is suspect. It is dead once the NameNode says so, or once it has been suspect for {@value #CONFIRM_MS} ms while two
 * clients or more fail at it and none succeeds; the NameNode's heartbeats are no objection. Once nothing speaks against a suspect or dead
 * host, and {@value #WAIT_MS} ms after the last that did, it is probed: it may be used again. It is healthy {@value #PROBATION_MS} ms
 * later, if somebody has seen it good. Each relapse within {@value #RELAPSE_MS} ms doubles the wait before it is probed, up to
 * {@value #MOST_DOUBLED} times. Where only the NameNode spoke against it, it is healthy as soon as the NameNode says otherwise.
 *
 * <p>What an observer with a lease has seen counts until its lease is over ({@link #takeLeased}): one that has died says nothing.
 *
 * <p>So no state outlasts what it was made of. Those who could see a suspect host good avoid it: somebody has to ask those of {@link
 * #doubted} how they fare, time and again.
 *
 * <p>Times are milliseconds of one clock that does not go back. Thread-safe.
 */
public final class DataNodeStates {

    static final long RECENT_MS = 300_000;
    static final long OVER_MS = 60_000;
    static final long CONFIRM_MS = 30_000;
    static final long WAIT_MS = 30_000;
    static final long PROBATION_MS = 120_000;
    static final long RELAPSE_MS = 3_600_000;
    static final int IN_A_ROW = 3;
    static final int LATE_IN_A_ROW = 2;
    static final int ENOUGH_HOSTS = 3;
    static final int MOST_DOUBLED = 2;

    /** What was seen longer ago is no reason to leave regions where they are. */
    static final long FRESH_MS = 120_000;

    private static final long NEVER_MS = Long.MIN_VALUE / 2;
    private static final int ENOUGH_CLIENTS = 2;
    private static final int ENOUGH_OBSERVERS = 2;
    private static final long FORGET_MS = 86_400_000;
    private static final int NAMED = 3;

    /** More observers of one host are not kept: the longest unheard goes. */
    private static final int MAX_OBSERVERS = 64;

    /** So many observers may have a lease at a time. */
    static final int MAX_LEASED = 16;

    /** Where more than one in so many hosts is bad, the cause is probably shared: the network, or HDFS. */
    private static final int MOST_BAD_ONE_IN = 3;

    private final Map<String, Host> hosts = new TreeMap<>();
    private final Map<String, Long> leaseEndMsByObserver = new HashMap<>();
    private long takenMs = NEVER_MS;

    /** What one observer saw last, how often it was bad in a row, and since when. */
    private record Last(DataNodeObservation seen, int badInARow, long badSinceMs) {}

    /**
     * A host whose DataNodes are not healthy. Immutable.
     *
     * @param sinceMs since when it is in this state, by the clock of the observations
     * @param why the end of "its DataNode ...", with who says so
     */
    public record UnhealthyHost(String host, DataNodeState state, long sinceMs, String why) {}

    private static final class Host {

        private final Map<String, Last> lastByObserver = new LinkedHashMap<>();
        private List<Last> bad = List.of();
        private DataNodeState state = DataNodeState.HEALTHY;
        private long sinceMs;
        private long lastBadMs = NEVER_MS;
        private long lastGoodMs = NEVER_MS;
        private long probedMs = NEVER_MS;
        private boolean isNameNodeAlone;
        private int doubled;
        private String why = "";

        private void change(DataNodeState next, long nowMs) {
            state = state.to(next);
            sinceMs = nowMs;
            probedMs = next == DataNodeState.PROBING ? nowMs : probedMs;
        }

        /** What is told after something that the same observer saw later is left out. */
        private void add(DataNodeObservation seen) {
            Last before = lastByObserver.get(key(seen));
            if (before != null && before.seen().atMs() > seen.atMs()) {
                return;
            }
            int inARow = !seen.isBad() ? 0 : before == null ? 1 : before.badInARow() + 1;
            long sinceMs = before == null || before.badInARow() == 0 ? seen.atMs() : before.badSinceMs();
            lastByObserver.remove(key(seen));
            lastByObserver.put(key(seen), new Last(seen, inARow, sinceMs));
            if (lastByObserver.size() > MAX_OBSERVERS) {
                lastByObserver.remove(lastByObserver.keySet().iterator().next());
            }
            lastGoodMs = seen.isBad() ? lastGoodMs : Math.max(lastGoodMs, seen.atMs());
        }

        private void forgetOld(long nowMs) {
            lastByObserver
                    .values()
                    .removeIf(last -> nowMs - last.seen().atMs() > last.seen().holdsMs());
        }

        private void forget(Set<String> observers) {
            lastByObserver
                    .values()
                    .removeIf(last -> last.seen().kind() == ObserverKind.CLIENT
                            && observers.contains(last.seen().observer()));
        }

        private Stream<Last> by(ObserverKind kind) {
            return lastByObserver.values().stream().filter(last -> last.seen().kind() == kind);
        }

        /** Whether this speaks against the host. A client that was served late once may have been late for another reason. */
        private boolean counts(Last last, Set<String> atFault, long nowMs) {
            DataNodeObservation seen = last.seen();
            if (!seen.isBad() || atFault.contains(key(seen))) {
                return false;
            }
            if (seen.kind() != ObserverKind.CLIENT) {
                return true;
            }
            boolean isOver = nowMs - seen.atMs() >= OVER_MS && lastGoodMs > seen.atMs();
            return seen.outcome() == Outcome.FAILED ? !isOver : last.badInARow() >= LATE_IN_A_ROW;
        }

        private boolean isListedDead() {
            return bad.stream()
                    .anyMatch(last -> last.seen().kind() == ObserverKind.NAMENODE
                            && last.seen().outcome() == Outcome.FAILED);
        }

        private List<Last> badClients() {
            return bad.stream()
                    .filter(last -> last.seen().kind() == ObserverKind.CLIENT)
                    .toList();
        }

        private long goodClients(long sinceMs) {
            return by(ObserverKind.CLIENT)
                    .filter(last -> !last.seen().isBad() && last.seen().atMs() >= sinceMs)
                    .count();
        }

        /** The clients that have seen it good since the others see it bad: before, it may have been so. */
        private long goodClientsSince() {
            return goodClients(
                    badClients().stream().mapToLong(Last::badSinceMs).max().orElse(NEVER_MS));
        }

        private boolean nobodyReachesIt() {
            long failed = badClients().stream()
                    .filter(last -> last.seen().outcome() == Outcome.FAILED)
                    .count();
            return failed >= ENOUGH_CLIENTS && goodClientsSince() == 0;
        }

        private boolean isSick() {
            if (bad.isEmpty()) {
                return false;
            }
            List<Last> clients = badClients();
            if (bad.size() > clients.size()) {
                return true;
            }
            if (clients.size() >= ENOUGH_CLIENTS) {
                return clients.size() > goodClientsSince();
            }
            return state.isBadTarget()
                    ? goodClientsSince() == 0
                    : clients.get(0).badInARow() >= IN_A_ROW && goodClients(NEVER_MS) == 0;
        }

        private boolean mayBeProbed(long nowMs) {
            return nowMs - lastBadMs >= WAIT_MS << doubled;
        }

        /** How many have lately seen it bad; partners that agree are several. */
        private int observers(long nowMs) {
            return bad.stream()
                    .filter(last -> nowMs - last.seen().atMs() <= FRESH_MS)
                    .mapToInt(last -> last.seen().kind().isSeveral() ? ENOUGH_OBSERVERS : 1)
                    .sum();
        }
    }

    private static String key(DataNodeObservation seen) {
        return seen.kind() == ObserverKind.PEERS ? seen.kind().name() : seen.kind() + " " + seen.observer();
    }

    /** Takes these in, and works out the states as they are now. */
    public synchronized void take(Collection<DataNodeObservation> observations, long nowMs) {
        takenMs = observations.isEmpty() ? takenMs : nowMs;
        for (DataNodeObservation seen : observations) {
            hosts.computeIfAbsent(seen.host(), first -> new Host()).add(seen);
        }
        forgetWhoseLeaseIsOver(nowMs);
        hosts.values().forEach(host -> host.forgetOld(nowMs));
        Set<String> atFault = observersAtFault();
        hosts.values().forEach(host -> update(host, atFault, nowMs));
        hosts.values()
                .removeIf(host ->
                        host.lastByObserver.isEmpty() && nowMs - Math.max(host.lastGoodMs, host.lastBadMs) > FORGET_MS);
    }

    /**
     * Takes in what a client has seen that may end without a word. Once its lease is over, what it has seen is forgotten.
     *
     * @param observer the client, who is the observer of all of these
     * @param leaseMs how long the lease is from now on, in the place of the one before; 0 ends it
     * @return whether they were taken in; no others than {@value #MAX_LEASED} have a lease at a time
     */
    public synchronized boolean takeLeased(
            String observer, long leaseMs, Collection<DataNodeObservation> observations, long nowMs) {
        forgetWhoseLeaseIsOver(nowMs);
        if (!leaseEndMsByObserver.containsKey(observer) && leaseEndMsByObserver.size() >= MAX_LEASED) {
            return false;
        }
        leaseEndMsByObserver.put(observer, nowMs + leaseMs);
        take(observations, nowMs);
        return true;
    }

    private void forgetWhoseLeaseIsOver(long nowMs) {
        Set<String> over = leaseEndMsByObserver.entrySet().stream()
                .filter(lease -> lease.getValue() <= nowMs)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (!over.isEmpty()) {
            hosts.values().forEach(host -> host.forget(over));
            leaseEndMsByObserver.keySet().removeAll(over);
        }
    }

    /** The clients that see most of many hosts bad, and the NameNode if it does: after its restart DataNodes are yet to come. */
    private Set<String> observersAtFault() {
        Map<String, int[]> seenAndBad = new HashMap<>();
        hosts.values().stream()
                .flatMap(host -> Stream.concat(host.by(ObserverKind.CLIENT), host.by(ObserverKind.NAMENODE)))
                .forEach(last -> {
                    int[] counts = seenAndBad.computeIfAbsent(key(last.seen()), first -> new int[2]);
                    counts[0]++;
                    counts[1] += last.seen().isBad() ? 1 : 0;
                });
        return seenAndBad.entrySet().stream()
                .filter(observer ->
                        observer.getValue()[0] >= ENOUGH_HOSTS && 2 * observer.getValue()[1] > observer.getValue()[0])
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static void update(Host host, Set<String> atFault, long nowMs) {
        host.bad = host.lastByObserver.values().stream()
                .filter(last -> host.counts(last, atFault, nowMs))
                .toList();
        if (host.isSick()) {
            host.why = why(host.bad);
            // What the NameNode says is over once it says otherwise.
            host.bad.stream()
                    .filter(last -> last.seen().kind() != ObserverKind.NAMENODE)
                    .forEach(last -> {
                        host.lastBadMs = Math.max(host.lastBadMs, last.seen().atMs());
                        host.isNameNodeAlone = false;
                    });
        }
        next(host, nowMs);
    }

    private static void next(Host host, long nowMs) {
        boolean isSick = host.isSick();
        switch (host.state) {
            case HEALTHY -> {
                if (isSick) {
                    fallsSick(host, nowMs);
                }
            }
            case SUSPECT -> {
                if (host.isListedDead() || (host.nobodyReachesIt() && nowMs - host.sinceMs >= CONFIRM_MS)) {
                    host.change(DataNodeState.DEAD, nowMs);
                } else if (!isSick && host.isNameNodeAlone) {
                    host.change(DataNodeState.HEALTHY, nowMs);
                } else if (!isSick && host.mayBeProbed(nowMs)) {
                    host.change(DataNodeState.PROBING, nowMs);
                }
            }
            case DEAD -> {
                if (!isSick && host.mayBeProbed(nowMs)) {
                    host.change(DataNodeState.PROBING, nowMs);
                }
            }
            case PROBING -> {
                if (isSick) {
                    fallsSick(host, nowMs);
                } else if (host.lastGoodMs > host.lastBadMs && nowMs - host.sinceMs >= PROBATION_MS) {
                    host.change(DataNodeState.HEALTHY, nowMs);
                }
            }
        }
        if (host.state == DataNodeState.HEALTHY) {
            host.why = "";
        }
    }

    /** The hiccups of a NameNode are no relapses. */
    private static void fallsSick(Host host, long nowMs) {
        host.isNameNodeAlone = host.bad.stream().allMatch(last -> last.seen().kind() == ObserverKind.NAMENODE);
        if (!host.isNameNodeAlone) {
            host.doubled = nowMs - host.probedMs < RELAPSE_MS ? Math.min(MOST_DOUBLED, host.doubled + 1) : 0;
        }
        host.change(DataNodeState.SUSPECT, nowMs);
        next(host, nowMs);
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

    /** The hosts of which it is worth while to ask how they fare: that are not healthy, or that somebody has failed to reach. */
    public synchronized Set<String> doubted() {
        return hosts.entrySet().stream()
                .filter(host -> host.getValue().state != DataNodeState.HEALTHY
                        || host.getValue().bad.stream()
                                .anyMatch(last -> last.seen().outcome() == Outcome.FAILED))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The hosts to which nothing is sent that can go elsewhere, with the reason as the end of a sentence. None where more than a third of
     * all hosts are: then what they share is sick, and elsewhere is no better; and none where nobody has seen anything for
     * {@value #RECENT_MS} ms.
     */
    public synchronized Map<String, String> badTargets(long nowMs) {
        return badTargets(nowMs, host -> true);
    }

    /**
     * Those of the same of which two observers or more have said so in the last {@value #FRESH_MS} ms. Blocks that go elsewhere are only
     * later where they belong; regions that go elsewhere for the sake of one observer leave the cluster uneven.
     */
    public synchronized Map<String, String> confirmedBadTargets(long nowMs) {
        return badTargets(nowMs, host -> host.observers(nowMs) >= ENOUGH_OBSERVERS);
    }

    private Map<String, String> badTargets(long nowMs, Predicate<Host> which) {
        Map<String, Host> bad = new TreeMap<>(hosts);
        bad.values().removeIf(host -> !host.state.isBadTarget());
        if (nowMs - takenMs > RECENT_MS || (bad.size() > 1 && bad.size() * MOST_BAD_ONE_IN > hosts.size())) {
            return Map.of();
        }
        Map<String, String> whyByHost = new TreeMap<>();
        bad.forEach((name, host) -> {
            if (which.test(host)) {
                whyByHost.put(name, "its DataNode " + host.why);
            }
        });
        return whyByHost;
    }
}
