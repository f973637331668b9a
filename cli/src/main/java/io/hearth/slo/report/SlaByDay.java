// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.report;

import io.hearth.slo.availability.SlaAvailability;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.report.MonthReport.Sla;
import io.hearth.slo.store.DataNodeMinute;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/**
 * The availability of HDFS by faulty DataNodes for each day, from what probes of HDFS found and what the NameNode said of DataNodes.
 *
 * <p>N, the DataNodes of a minute, are those in service that the NameNode called live or dead, and those that were probed. Faulty are
 * those of which a probe was bad and those that were dead in it, each once. Where the NameNode said nothing in a minute, what it said in
 * the minute before counts; where it said nothing in that either, the probes alone.
 *
 * <p>A minute counts for DataNodes if, of those that are not dead in it, as many were probed as in the minutes beside it, but for a tenth:
 * a dead one needs no probe. Of another minute, as one in which no NameNode answered, which a probe needs first, the NameNode alone counts,
 * from the first minute on in which a DataNode was probed. Of several NameNodes the one counts that did best in the minute: one of them
 * serves HDFS. Not thread-safe.
 */
final class SlaByDay {

    private static final long MINUTE_MS = 60_000;
    private static final long DAY_MS = 24 * 60 * MINUTE_MS;

    /** The share of the DataNodes that has to be probed in a minute. */
    private static final double WHOLE = 0.9;

    private static final Set<ProbeKind> OF_DATANODES = EnumSet.of(ProbeKind.HDFS_WRITE, ProbeKind.HDFS_READ);

    private final int replication;
    private final Map<String, Integer> numberByDataNode = new HashMap<>();
    private final NavigableMap<Long, Probes> probesByMinute = new TreeMap<>();
    private final NavigableMap<Long, Said> saidByMinute = new TreeMap<>();

    /** What probes found in a minute. */
    private static final class Probes {
        private final BitSet probed = new BitSet();
        private final BitSet faulty = new BitSet();
        private final Map<String, long[]> dueAndBadByNameNode = new HashMap<>();

        /** The share of good probes of the best NameNode; empty if none was probed. */
        private OptionalDouble bestNameNode() {
            return dueAndBadByNameNode.values().stream()
                    .filter(dueAndBad -> dueAndBad[0] > 0)
                    .mapToDouble(dueAndBad -> 1 - (double) dueAndBad[1] / dueAndBad[0])
                    .max();
        }

        private int probedBut(BitSet dead) {
            return without(probed, dead).cardinality();
        }
    }

    /** What the NameNode said in a minute. */
    private static final class Said {
        private static final Said NOTHING = new Said();

        private final BitSet live = new BitSet();
        private final BitSet dead = new BitSet();
    }

    /** @param replication of HBase's files, at least 1 */
    SlaByDay(int replication) {
        this.replication = replication;
    }

    /** Counts probes of a server; those of another kind are passed over. */
    void add(long minuteMs, ProbeKind kind, String target, long due, long bad) {
        Probes minute = probesByMinute.computeIfAbsent(minuteMs, start -> new Probes());
        if (OF_DATANODES.contains(kind)) {
            int number = number(target);
            minute.probed.set(number);
            minute.faulty.set(number, bad > 0 || minute.faulty.get(number));
        } else if (kind == ProbeKind.NAMENODE) {
            long[] dueAndBad = minute.dueAndBadByNameNode.computeIfAbsent(target, fresh -> new long[2]);
            dueAndBad[0] += due;
            dueAndBad[1] += bad;
        }
    }

    /** Counts what the NameNode said. */
    void add(DataNodeMinute part) {
        Said minute = saidByMinute.computeIfAbsent(part.startMs(), start -> new Said());
        part.live().forEach(node -> minute.live.set(number(node)));
        part.dead().forEach(node -> minute.dead.set(number(node)));
    }

    private int number(String dataNode) {
        return numberByDataNode.computeIfAbsent(dataNode, fresh -> numberByDataNode.size());
    }

    /** The days from this time on. */
    List<Sla> days(long startMs, int days) {
        long firstProbedMs = probesByMinute.entrySet().stream()
                .filter(minute -> !minute.getValue().probed.isEmpty())
                .findFirst()
                .map(Map.Entry::getKey)
                .orElse(Long.MAX_VALUE);
        List<Sla> all = new ArrayList<>();
        for (int day = 0; day < days; day++) {
            all.add(day(startMs + day * DAY_MS, firstProbedMs));
        }
        return all;
    }

    private Sla day(long dayMs, long firstProbedMs) {
        List<SlaAvailability> minutes = new ArrayList<>();
        List<Double> totals = new ArrayList<>();
        probesByMinute.subMap(dayMs, true, dayMs + DAY_MS, false).forEach((minuteMs, probes) -> {
            Said said = said(minuteMs);
            if (isWhole(minuteMs, probes, said)) {
                SlaAvailability whole = sla(probes, said);
                minutes.add(whole);
                whole.total().ifPresent(totals::add);
            } else if (minuteMs >= firstProbedMs) {
                // The total is no more than this, whatever the DataNodes did.
                probes.bestNameNode().stream().filter(share -> share < 1).forEach(totals::add);
            }
        });
        return new Sla(
                minutes.size(),
                mean(minutes.stream().map(SlaAvailability::write).toList()).orElse(0),
                mean(minutes.stream().map(SlaAvailability::read).toList()).orElse(0),
                mean(totals),
                minutes.stream().mapToInt(SlaAvailability::faulty).max().orElse(0));
    }

    private static OptionalDouble mean(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average();
    }

    private Said said(long minuteMs) {
        Map.Entry<Long, Said> last = saidByMinute.floorEntry(minuteMs);
        return last == null || last.getKey() < minuteMs - MINUTE_MS ? Said.NOTHING : last.getValue();
    }

    /**
     * In one in which the watch began, ended or stood still few were probed: a pipeline drawn from those alone would have none that is
     * sound.
     */
    private boolean isWhole(long minuteMs, Probes minute, Said said) {
        int probed = minute.probedBut(said.dead);
        int most = probesByMinute.subMap(minuteMs - MINUTE_MS, true, minuteMs + MINUTE_MS, true).values().stream()
                .mapToInt(near -> near.probedBut(said.dead))
                .max()
                .orElse(0);
        boolean isEveryOneDead = said.live.isEmpty() && !said.dead.isEmpty();
        return probed >= WHOLE * most && (probed > 0 || isEveryOneDead);
    }

    private SlaAvailability sla(Probes probes, Said said) {
        BitSet faulty = with(probes.faulty, said.dead);
        BitSet all = with(with(probes.probed, said.live), said.dead);
        return new SlaAvailability(all.cardinality(), faulty.cardinality(), replication, probes.bestNameNode());
    }

    private static BitSet with(BitSet some, BitSet others) {
        BitSet both = (BitSet) some.clone();
        both.or(others);
        return both;
    }

    private static BitSet without(BitSet some, BitSet others) {
        BitSet left = (BitSet) some.clone();
        left.andNot(others);
        return left;
    }
}
