// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.balancer.heat.SuspectServer.Evidence;
import io.hearth.balancer.heat.ingest.Rates;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which servers serve so much less than was asked of them that their rates say nothing of demand: a disk that fails, long
 * garbage collections, a broken network. Heat is what was served, so such a server looks cold, and what is moved to it looks
 * cold there too.
 *
 * <p>Goals: a server that reports on time and serves half of what it is asked for, or less, is known within two looks, and one
 * that comes to that over hours within minutes of its last tenth; load that simply ended makes nobody suspect.
 *
 * <p>Constraints: reports hold counters only. What a server was asked for is not in them.
 *
 * <p>Algorithm, for reads and writes apart, whenever a server has a new report:
 *
 * <ol>
 *   <li>Every region has an expected rate: its decayed rate before this report, or, where it has just landed on the server and
 *       has never been seen at its heat there, the rate that it came with.
 *   <li>Expected rates are multiplied by what became of the same table elsewhere, at most 1: the upper quartile over the servers
 *       of served/expected. Where the traffic of a table ends, it ends on all of them. A table that only one server has tells
 *       nothing.
 *   <li>The server <em>fell</em> if at least {@value #MIN_SETTLED_REGIONS} regions can be compared (or {@value #MIN_ARRIVED_REGIONS} that have
 *       just landed), three quarters of them and their sum are below the served ratio, and the server now serves less than
 *       {@value #COLD} of what servers serve on average: one that does not look cold attracts nothing. Where other regions of
 *       the same tables have come to serve half of what was lost, or more, the load only went to other keys.
 *   <li>While it falls, its rates are not learnt from. After {@value #CONFIRM_MS} ms of report time it is suspect, until it has
 *       been half-way back to 1 for {@value #RECOVER_MS} ms, or its own JMX says that nobody waits there, or {@value
 *       #LONGEST_MS} ms have gone by since it fell and since its JMX said that calls wait.
 *   <li>One that is believed after that time, and on which what lands loses its heat, is suspect anew, for twice as long.
 * </ol>
 *
 * There are two detectors. What decays over minutes follows a slow decline too soon, so {@link #ofDeclines} is given rates that decay over
 * hours. Load goes away over hours for many reasons: so the second one holds a server only once its JMX says that calls wait there.
 *
 * <p>Example: of five servers with 40 regions of 100 reads/s each one comes to serve a tenth: 10 reads/s a region against 100
 * elsewhere, so 40 of 40 fell, 400 of 4,000 are served, and the mean is 3,280. Not thread-safe.
 */
final class SuspectServerDetector {

    /** Fewer regions that fall together on a server may be chance, or a hot spot that went elsewhere. */
    static final int MIN_SETTLED_REGIONS = 5;

    /** The same of regions that have just landed. */
    static final int MIN_ARRIVED_REGIONS = 3;

    /** A server above this part of the mean does not look cold. */
    static final double COLD = 0.9;

    /** A look of the master each minute is a little less in report time; milliseconds. */
    static final long CONFIRM_MS = 45_000;

    static final long RECOVER_MS = 120_000;

    /** After this time what is served counts as what is asked, whatever it was before; milliseconds. */
    static final long LONGEST_MS = 6 * 3_600_000;

    /** The same of one that was suspect again and again, each time for twice as long; milliseconds. */
    static final long LONGEST_AGAIN_MS = 4 * LONGEST_MS;

    /** An older look at a server is compared with nobody; milliseconds. */
    private static final long FRESH_MS = 180_000;

    /** The same of looks for declines, which are taken every few minutes. */
    private static final long DECLINE_FRESH_MS = 900_000;

    /** Calls may wait for a moment on any server: so many answers in a row, a minute apart. */
    private static final int BACKLOG_ANSWERS = 2;

    private static final double MOST_OF_THEM = 0.75;
    private static final double UPPER_QUARTILE = 0.75;
    private static final double RISEN_FACTOR = 2;

    /** A server is judged by tables that several servers have where they are this part of what it is asked for. */
    private static final double BETTER_PART = 0.5;

    private static final int KINDS = Rates.COUNTERS;

    private final boolean ofDeclines;
    private final Map<ServerId, ServerMeasurement> measurementByServer = new HashMap<>();
    private final Map<ServerId, Suspicion> suspicionByServer = new HashMap<>();
    /** When servers were last judged, by the master's clock; milliseconds. */
    private long judgedAtMs;
    /** How many sums of a table on a server were gone through. */
    private long sumsRead;

    private SuspectServerDetector(boolean ofDeclines) {
        this.ofDeclines = ofDeclines;
    }

    /** Of servers that fall within minutes. */
    static SuspectServerDetector ofDrops() {
        return new SuspectServerDetector(false);
    }

    /** Of servers that decline over hours, and say that calls wait there. */
    static SuspectServerDetector ofDeclines() {
        return new SuspectServerDetector(true);
    }

    /**
     * One region in a new report: what was expected of it and what it served, in requests.
     *
     * @param hasJustArrived whether it has not been seen at its heat on this server
     */
    record RegionMeasurement(TableId table, Rates expected, Rates served, boolean hasJustArrived) {}

    /**
     * A new report of a server.
     *
     * @param elapsedMs report time since the one before, in milliseconds
     */
    record ServerMeasurement(
            ServerId server, long elapsedMs, List<RegionMeasurement> measures, Map<TableId, Sums> sums, long seenMs) {

        static ServerMeasurement of(ServerId server, long elapsedMs, List<RegionMeasurement> measures, long nowMs) {
            Map<TableId, Sums> sums = new HashMap<>();
            for (RegionMeasurement measure : measures) {
                sums.computeIfAbsent(measure.table(), first -> new Sums()).add(measure);
            }
            return new ServerMeasurement(server, elapsedMs, measures, sums, nowMs);
        }

        /** All that is needed of it once a newer one is judged. */
        ServerMeasurement withoutRegions() {
            return new ServerMeasurement(server, elapsedMs, List.of(), sums, seenMs);
        }

        double served(int kind) {
            return sums.values().stream().mapToDouble(sum -> sum.served(kind)).sum();
        }
    }

    /** One table's regions on one server, by kind of request. One is kept for each table of each server. */
    private static final class Sums {

        private static final int SERVED = KINDS;
        private static final int RISEN = 2 * KINDS;

        private final double[] sums = new double[RISEN + KINDS];

        void add(RegionMeasurement measure) {
            for (int kind = 0; kind < KINDS; kind++) {
                double before = measure.expected().get(kind);
                double now = measure.served().get(kind);
                sums[kind] += before;
                sums[SERVED + kind] += now;
                sums[RISEN + kind] += now >= RISEN_FACTOR * before ? now - before : 0;
            }
        }

        double expected(int kind) {
            return sums[kind];
        }

        double served(int kind) {
            return sums[SERVED + kind];
        }

        /** What is new in regions that serve {@value #RISEN_FACTOR} times what was expected. */
        double risen(int kind) {
            return sums[RISEN + kind];
        }
    }

    /** What a look says of a server. */
    private enum Status {
        DROPPED,
        UNDECIDED,
        RECOVERED,
        NOTHING
    }

    private record Assessment(Status status, Evidence evidence, double servedShare) {

        static final Assessment NOTHING = new Assessment(Status.NOTHING, Evidence.ALL_REGIONS_DROPPED, 1);

        Assessment or(Assessment other) {
            return other.status.compareTo(status) < 0 ? other : this;
        }
    }

    /** One server that fell. */
    private final class Suspicion {

        private Evidence evidence = Evidence.ALL_REGIONS_DROPPED;
        private double servedShare = 1;
        private final long longestMs;
        private long droppedAtMs;
        /** When it last said that calls wait, or fell. */
        private long toldAtMs;

        private long droppedForMs;
        private long recoveredForMs;
        private boolean isConfirmed;
        private boolean isOver;
        private @Nullable ServerRpcStats rpcStats;
        private int answersWithBacklog;

        Suspicion(long nowMs, long longestMs) {
            droppedAtMs = nowMs;
            toldAtMs = nowMs;
            this.longestMs = longestMs;
        }

        /** Whether its rates are believed again though they have not risen: it is at ease, or has been suspect for too long. */
        boolean isCleared() {
            if (ofDeclines) {
                return isOver || answersWithBacklog < BACKLOG_ANSWERS;
            }
            return isOver || (rpcStats != null && rpcStats.hasNoBacklog() && evidence == Evidence.ALL_REGIONS_DROPPED);
        }
    }

    /**
     * Judges every server that has a new report.
     *
     * @param servedRatio a server that serves less than this part of what is expected fell, 0 to 1; 0 judges nobody
     */
    void judge(Collection<ServerMeasurement> newReports, double servedRatio, long nowMs) {
        judgedAtMs = nowMs;
        if (servedRatio <= 0) {
            measurementByServer.clear();
            suspicionByServer.clear();
            return;
        }
        newReports.forEach(look -> measurementByServer.put(look.server(), look));
        if (newReports.isEmpty()) {
            endOldSuspicions(nowMs);
            return;
        }
        Peers peers = new Peers(nowMs);
        for (ServerMeasurement look : newReports) {
            if (suspicionByServer.containsKey(look.server()) || peers.isCold(look)) {
                suspectAnew(look, peers, servedRatio, nowMs);
                take(look, assessment(look, peers, servedRatio), nowMs);
            }
            measurementByServer.put(look.server(), look.withoutRegions());
        }
        endOldSuspicions(nowMs);
    }

    /** How many sums of a table on a server were gone through since the beginning. */
    long sumsRead() {
        return sumsRead;
    }

    private void endOldSuspicions(long nowMs) {
        suspicionByServer.values().forEach(suspicion -> {
            // One that fell after now, by a clock that was set back, fell now.
            suspicion.droppedAtMs = Math.min(suspicion.droppedAtMs, nowMs);
            suspicion.toldAtMs = Math.min(suspicion.toldAtMs, nowMs);
            suspicion.isOver |= nowMs - suspicion.toldAtMs > suspicion.longestMs;
        });
    }

    /** Forgets every server that is not among these. */
    void retainServers(Set<ServerId> live) {
        measurementByServer.keySet().retainAll(live);
        suspicionByServer.keySet().retainAll(live);
    }

    /** Whether what this server serves is not to be learnt from. */
    boolean isRateFrozen(ServerId server) {
        return rateFrozen(server).isPresent();
    }

    /** Whether the regions that landed on this server are why it is held. */
    boolean isRateFrozenByArrivals(ServerId server) {
        return rateFrozen(server)
                .filter(suspicion -> suspicion.evidence == Evidence.ARRIVED_REGIONS_DROPPED)
                .isPresent();
    }

    /** Whether this server was suspect before, was believed, and is suspect anew: what was learnt of it meanwhile was wrong. */
    boolean isSuspectAnew(ServerId server) {
        return rateFrozen(server)
                .filter(suspicion -> suspicion.longestMs > LONGEST_MS)
                .isPresent();
    }

    /** Since when this server is held, in milliseconds; now where it is not. */
    long frozenSinceMs(ServerId server, long nowMs) {
        return rateFrozen(server).map(suspicion -> suspicion.droppedAtMs).orElse(nowMs);
    }

    private Optional<Suspicion> rateFrozen(ServerId server) {
        return Optional.ofNullable(suspicionByServer.get(server)).filter(suspicion -> !suspicion.isCleared());
    }

    /** What a suspect said of itself. Where nobody waits for it, its load went elsewhere, unless what landed there was lost. */
    void rpcStatsReceived(ServerId server, ServerRpcStats rpcStats) {
        Suspicion suspicion = suspicionByServer.get(server);
        if (suspicion != null && suspicion.isConfirmed) {
            suspicion.rpcStats = rpcStats;
            suspicion.answersWithBacklog = rpcStats.hasBacklog() ? suspicion.answersWithBacklog + 1 : 0;
            if (rpcStats.hasBacklog() && !ofDeclines) {
                suspicion.toldAtMs = judgedAtMs;
            }
        }
    }

    /** Every server that is suspect, sorted. */
    List<SuspectServer> all() {
        List<SuspectServer> all = new ArrayList<>();
        suspicionByServer.forEach((server, suspicion) -> {
            if (suspicion.isConfirmed && !suspicion.isCleared()) {
                all.add(new SuspectServer(
                        server,
                        suspicion.droppedAtMs,
                        suspicion.servedShare,
                        ofDeclines ? Evidence.ALL_REGIONS_DECLINED : suspicion.evidence,
                        Optional.ofNullable(suspicion.rpcStats)));
            }
        });
        all.sort(Comparator.comparing(SuspectServer::server));
        return all;
    }

    /** The servers whose JMX is worth a look: those that are suspect, also where it has cleared them. */
    List<ServerId> worthProbing() {
        return suspicionByServer.entrySet().stream()
                .filter(entry -> entry.getValue().isConfirmed)
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** A suspicion that is over begins anew where what has landed there lost its heat, whatever the other regions serve. */
    private void suspectAnew(ServerMeasurement look, Peers peers, double servedRatio, long nowMs) {
        Suspicion suspicion = suspicionByServer.get(look.server());
        if (suspicion == null || !suspicion.isOver || ofDeclines) {
            return;
        }
        boolean haveArrivalsDropped = IntStream.range(0, KINDS)
                .anyMatch(
                        kind -> assessment(look, peers, servedRatio, kind, true).status() == Status.DROPPED);
        if (haveArrivalsDropped) {
            long longestMs = Math.min(LONGEST_AGAIN_MS, 2 * suspicion.longestMs);
            suspicionByServer.put(look.server(), new Suspicion(nowMs, longestMs));
        }
    }

    private void take(ServerMeasurement look, Assessment assessment, long nowMs) {
        Suspicion suspicion = suspicionByServer.get(look.server());
        if (suspicion == null) {
            if (assessment.status() != Status.DROPPED) {
                return;
            }
            suspicion = new Suspicion(nowMs, LONGEST_MS);
            suspicionByServer.put(look.server(), suspicion);
        }
        switch (assessment.status()) {
            case DROPPED -> {
                suspicion.droppedForMs += look.elapsedMs();
                suspicion.recoveredForMs = 0;
                suspicion.isConfirmed |= suspicion.droppedForMs >= CONFIRM_MS;
            }
            case UNDECIDED -> suspicion.recoveredForMs = 0;
            case RECOVERED -> suspicion.recoveredForMs += look.elapsedMs();
            case NOTHING -> {}
        }
        if (assessment.status() != Status.NOTHING) {
            suspicion.servedShare = assessment.servedShare();
            suspicion.evidence = assessment.status() == Status.DROPPED ? assessment.evidence() : suspicion.evidence;
        }
        boolean isTrusted = !suspicion.isConfirmed || suspicion.isCleared();
        if (isTrusted ? isForgotten(suspicion, assessment.status()) : suspicion.recoveredForMs >= RECOVER_MS) {
            suspicionByServer.remove(look.server());
        }
    }

    /** Rates of hours stay above what is served for hours after their time is over: another decline begins when they have met. */
    private boolean isForgotten(Suspicion suspicion, Status status) {
        return ofDeclines && suspicion.isOver ? status == Status.RECOVERED : status != Status.DROPPED;
    }

    private static Assessment assessment(ServerMeasurement look, Peers peers, double servedRatio) {
        Assessment assessment = Assessment.NOTHING;
        for (int kind = 0; kind < KINDS; kind++) {
            assessment = assessment
                    .or(assessment(look, peers, servedRatio, kind, false))
                    .or(assessment(look, peers, servedRatio, kind, true));
        }
        return assessment;
    }

    private static Assessment assessment(
            ServerMeasurement look, Peers peers, double servedRatio, int kind, boolean ofLanded) {
        return new Comparison(look, peers, kind, ofLanded).assessment(servedRatio, peers.isCold(look, kind));
    }

    /** What became of each table, and of the servers on average, by the last look at each. */
    private final class Peers {

        private final List<ServerMeasurement> fresh;
        /** Made when first asked for: a table is on few of a thousand servers, and not to be looked for on all. */
        private @Nullable Map<TableId, List<Sums>> sumsByTable;

        private final double[] meanServed = new double[KINDS];
        private final Map<TableId, double[]> trendByTable = new HashMap<>();
        private final Map<TableId, double[]> risenByTable = new HashMap<>();

        Peers(long nowMs) {
            fresh = measurementByServer.values().stream()
                    .filter(look -> Math.abs(nowMs - look.seenMs()) <= (ofDeclines ? DECLINE_FRESH_MS : FRESH_MS))
                    .toList();
            for (int kind = 0; kind < KINDS; kind++) {
                int ofKind = kind;
                meanServed[kind] = fresh.stream()
                        .mapToDouble(look -> look.served(ofKind))
                        .average()
                        .orElse(0);
            }
        }

        /** Whether this server can have fallen at all: one that serves no less than others of anything has not. */
        boolean isCold(ServerMeasurement look) {
            return IntStream.range(0, KINDS).anyMatch(kind -> isCold(look, kind));
        }

        boolean isCold(ServerMeasurement look, int kind) {
            return look.served(kind) < COLD * meanServed[kind];
        }

        /** What is served of what is expected, at most 1, where things go well; below 0 where only one server has the table. */
        double trend(TableId table, int kind) {
            return trendByTable.computeIfAbsent(table, this::trends)[kind];
        }

        private double[] trends(TableId table) {
            double[] trends = new double[KINDS];
            for (int kind = 0; kind < KINDS; kind++) {
                int ofKind = kind;
                double[] shares = sums(table)
                        .filter(sums -> sums.expected(ofKind) > 0)
                        .mapToDouble(sums -> sums.served(ofKind) / sums.expected(ofKind))
                        .toArray();
                Arrays.sort(shares);
                trends[kind] = shares.length < 2
                        ? -1
                        : Math.min(1, shares[(int) Math.ceil(UPPER_QUARTILE * shares.length) - 1]);
            }
            return trends;
        }

        /** What other regions of the table have come to serve on all servers. */
        double risen(TableId table, int kind) {
            return risenByTable.computeIfAbsent(table, this::risen)[kind];
        }

        private double[] risen(TableId table) {
            double[] risen = new double[KINDS];
            for (int kind = 0; kind < KINDS; kind++) {
                int ofKind = kind;
                risen[kind] =
                        sums(table).mapToDouble(sums -> sums.risen(ofKind)).sum();
            }
            return risen;
        }

        private Stream<Sums> sums(TableId table) {
            Map<TableId, List<Sums>> byTable = sumsByTable;
            if (byTable == null) {
                byTable = new HashMap<>();
                for (ServerMeasurement look : fresh) {
                    for (Map.Entry<TableId, Sums> ofTable : look.sums().entrySet()) {
                        byTable.computeIfAbsent(ofTable.getKey(), first -> new ArrayList<>())
                                .add(ofTable.getValue());
                        sumsRead++;
                    }
                }
                sumsByTable = byTable;
            }
            return byTable.getOrDefault(table, List.of()).stream();
        }
    }

    /** The regions of one look, those that have just landed or the others, against what was expected of them. */
    private static final class Comparison {

        /** Fewer requests expected in a sample say nothing of a region. */
        private static final double LEAST_REQUESTS = 10;

        private final boolean ofLanded;
        private final Map<TableId, Double> lostByTable = new HashMap<>();
        private final List<double[]> pairs = new ArrayList<>();
        private double expectedHere;
        private double expected;
        private double served;
        private double lost;
        private double wentElsewhere;

        Comparison(ServerMeasurement look, Peers peers, int kind, boolean ofLanded) {
            this.ofLanded = ofLanded;
            for (RegionMeasurement measure : look.measures()) {
                if (measure.hasJustArrived() == ofLanded) {
                    add(measure, peers.trend(measure.table(), kind), kind, look.elapsedMs());
                }
            }
            lostByTable.forEach((table, ofTable) -> {
                lost += ofTable;
                wentElsewhere += Math.min(ofTable, peers.risen(table, kind));
            });
        }

        private void add(RegionMeasurement measure, double trend, int kind, long elapsedMs) {
            double before = measure.expected().get(kind);
            expectedHere += before;
            double now = before * trend;
            if (trend >= 0 && now * elapsedMs / 1000 >= LEAST_REQUESTS) {
                expected += now;
                served += measure.served().get(kind);
                pairs.add(new double[] {now, measure.served().get(kind)});
                lostByTable.merge(
                        measure.table(), Math.max(0, now - measure.served().get(kind)), Double::sum);
            }
        }

        Assessment assessment(double servedRatio, boolean isCold) {
            if (pairs.size() < (ofLanded ? MIN_ARRIVED_REGIONS : MIN_SETTLED_REGIONS)
                    || expected < BETTER_PART * expectedHere) {
                return Assessment.NOTHING;
            }
            double share = served / expected;
            long fallen = pairs.stream()
                    .filter(pair -> pair[1] < servedRatio * pair[0])
                    .count();
            boolean haveFallen = fallen >= MOST_OF_THEM * pairs.size() && share < servedRatio;
            Evidence evidence = ofLanded ? Evidence.ARRIVED_REGIONS_DROPPED : Evidence.ALL_REGIONS_DROPPED;
            if (haveFallen && isCold) {
                boolean isGone = wentElsewhere < BETTER_PART * lost;
                return isGone ? new Assessment(Status.DROPPED, evidence, share) : Assessment.NOTHING;
            }
            return new Assessment(share < (1 + servedRatio) / 2 ? Status.UNDECIDED : Status.RECOVERED, evidence, share);
        }
    }
}
