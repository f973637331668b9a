// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.balancer.BalancerRunner.Limits;
import org.jspecify.annotations.NullMarked;

/**
 * What one run of the HMaster's balancer may take, and the part of it that is each group's of servers. With RSGroups HBase has one group
 * after the other planned, with the balancer's lock held, and makes the moves of all of them afterwards; without, all servers are one.
 *
 * <p>A group has its servers' part of the time and of the moves that the groups before it have left. What had no turn in the run before has
 * no part: servers that drain, and those of a group without tables. Confined to the balancer's lock.
 */
@NullMarked
final class RunAllowance {

    private Set<ServerName> live = Set.of();
    private final Set<ServerName> planned = new HashSet<>();
    /** The servers that had a turn in the last run; empty before the first one. */
    private Optional<Set<ServerName>> plannedLast = Optional.empty();

    private boolean isOver = true;
    private double part = 1;
    private long searchedNanos;
    private int moves;

    /** The run is over: HBase has new reports. The next one is about these servers. */
    void over(Set<ServerName> liveServers) {
        live = Set.copyOf(liveServers);
        isOver = true;
    }

    /** It is this group's turn. Returns whether a run begins with it, as it does with a group that comes again. */
    boolean begins(Set<ServerName> group) {
        boolean isNew = isOver || !Collections.disjoint(planned, group);
        if (isNew) {
            plannedLast = planned.isEmpty() ? plannedLast : Optional.of(Set.copyOf(planned));
            planned.clear();
            searchedNanos = 0;
            moves = 0;
            isOver = false;
        }
        planned.addAll(group);
        long toCome = live.stream()
                .filter(server -> !planned.contains(server))
                .filter(server -> plannedLast.map(last -> last.contains(server)).orElse(true))
                .count();
        part = group.isEmpty() ? 1 : (double) group.size() / (group.size() + toCome);
        return isNew;
    }

    /** What of this, which a run may do, the group may do whose turn it is. */
    Limits partOf(Limits ofRun) {
        long msLeft = Math.max(0, ofRun.deadlineMs() - TimeUnit.NANOSECONDS.toMillis(searchedNanos));
        int movesLeft = Math.max(0, ofRun.maxMoves() - moves);
        return new Limits(ofRun.regionCountSlop(), ofRun.maxMovePercent(), (long) Math.ceil(part * msLeft), (int)
                Math.ceil(part * movesLeft));
    }

    /** So much time was taken for a plan of this run. */
    void searched(long nanos) {
        searchedNanos += nanos;
    }

    /** A group's plans have so many moves. */
    void moved(int count) {
        moves += count;
    }
}
