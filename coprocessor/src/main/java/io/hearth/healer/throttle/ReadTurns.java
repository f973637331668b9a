// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which hosts are read next to measure what readers wait: those first that were not read for longest. Not thread-safe; times are
 * milliseconds of any one clock that does not go back.
 *
 * <p><b>Goals.</b> Each host is read often enough for {@link HostReadLatency}, which compares reads that are at most {@value
 * HostReadLatency#PAUSE_MS} ms apart: while each read takes two seconds, of up to 3,800 hosts with moves.
 *
 * <p><b>Constraints.</b> A host has one read at a time and one in {@value #EACH_MS} ms. All hosts together have {@value #AT_ONCE} at a
 * time, or one for {@value #HOSTS_PER_READ} hosts where that is more: a thread waits for each, and only while reads are slow are there
 * so many, {@value #MOST_AT_ONCE} at most: they are threads of the HMaster. Going once through all hosts takes {@value #ROUND_MS} ms at
 * least where there are more than {@value #AT_ONCE} a turn.
 */
public final class ReadTurns {

    /** A host is read once in so long at most, in milliseconds. */
    public static final long EACH_MS = 1_000;

    /** So many reads are made at a time, and started in one turn, however few hosts there are. */
    public static final int AT_ONCE = 16;

    /** With reads of two seconds all hosts have had one after 20 seconds. */
    static final int HOSTS_PER_READ = 10;

    /** However many hosts there are. */
    static final int MOST_AT_ONCE = 256;

    /** The reads of many hosts are spread over so long, in milliseconds. */
    static final long ROUND_MS = 8_000;

    /** A host that was not read for so long is forgotten, in milliseconds. */
    private static final long FORGET_MS = 3_600_000;

    private static final long NEVER_MS = Long.MIN_VALUE / 2;

    private static final class HostTurn {
        private long startedMs = NEVER_MS;
        private boolean underWay;
    }

    private record DueHost(String host, long startedMs) {}

    private final Map<String, HostTurn> turnByHost = new HashMap<>();
    private long lastMs = NEVER_MS;
    private int underWay;

    /**
     * The hosts that are read from now on, each until it has {@link #ended}.
     *
     * @param hosts those that may be read, each once
     */
    public List<String> start(Collection<String> hosts, long nowMs) {
        turnByHost.values().removeIf(turn -> !turn.underWay && nowMs - turn.startedMs > FORGET_MS);
        int free = Math.min(inThisTurn(hosts.size(), nowMs), atOnce(hosts.size()) - underWay);
        lastMs = nowMs;
        if (free <= 0) {
            return List.of();
        }
        List<String> next = hosts.stream()
                .filter(host -> isDue(host, nowMs))
                .map(host -> new DueHost(host, startedMs(host)))
                .sorted(Comparator.comparingLong(DueHost::startedMs))
                .limit(free)
                .map(DueHost::host)
                .toList();
        for (String host : next) {
            HostTurn turn = turnByHost.computeIfAbsent(host, first -> new HostTurn());
            turn.startedMs = nowMs;
            turn.underWay = true;
        }
        underWay += next.size();
        return next;
    }

    /** The read of this host is over, or was not made after all. */
    public void ended(String host) {
        HostTurn turn = turnByHost.get(host);
        if (turn != null && turn.underWay) {
            turn.underWay = false;
            underWay--;
        }
    }

    /** Whether this host was read within the last hour. */
    public boolean isKnown(String host) {
        return turnByHost.containsKey(host);
    }

    private static int atOnce(int hosts) {
        return Math.min(MOST_AT_ONCE, Math.max(AT_ONCE, hosts / HOSTS_PER_READ));
    }

    private int inThisTurn(int hosts, long nowMs) {
        long elapsedMs = Math.min(ROUND_MS, nowMs - lastMs);
        return Math.max(AT_ONCE, (int) (hosts * elapsedMs / ROUND_MS));
    }

    private boolean isDue(String host, long nowMs) {
        HostTurn turn = turnByHost.get(host);
        return turn == null || (!turn.underWay && nowMs - turn.startedMs >= EACH_MS);
    }

    private long startedMs(String host) {
        HostTurn turn = turnByHost.get(host);
        return turn == null ? NEVER_MS : turn.startedMs;
    }
}
