// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.NullMarked;

/**
 * The tables that a run had no time to plan, which come first in the next one, or of these those that were left twice where there are such.
 * With RSGroups the tables of a group come first in its own turn. Confined to the balancer's lock.
 */
@NullMarked
final class PostponedTables {

    /** Of the last run, and of those before it in which their group had no turn since. */
    private Set<TableName> leftBefore = new HashSet<>();

    private Set<TableName> firstBefore = Set.of();
    private Set<TableName> left = new HashSet<>();
    /** Of every group that has had its turn in this run. */
    private Set<TableName> first = new HashSet<>();

    private Set<TableName> turns = new HashSet<>();
    private Set<TableName> firstInTurn = Set.of();
    private Set<TableName> leftInTurn = new HashSet<>();

    /** A run begins, over all groups of servers. */
    void runBegins() {
        Set<TableName> carried = new HashSet<>(leftBefore);
        carried.removeAll(turns);
        carried.addAll(left);
        leftBefore = carried;
        firstBefore = first;
        left = new HashSet<>();
        first = new HashSet<>();
        turns = new HashSet<>();
    }

    /** It is the turn of a group of servers with these tables. */
    void turnBegins(Set<TableName> tables) {
        Set<TableName> again = new HashSet<>(leftBefore);
        again.retainAll(tables);
        Set<TableName> twice = new HashSet<>(again);
        twice.retainAll(firstBefore);
        firstInTurn = twice.isEmpty() ? again : twice;
        first.addAll(firstInTurn);
        turns.addAll(tables);
        leftInTurn = new HashSet<>();
    }

    /** Whether others come before this table. */
    boolean areBefore(TableName table) {
        return !firstInTurn.isEmpty() && !firstInTurn.contains(table);
    }

    /** There is no time for this table in this turn. Returns whether it is the first such one. */
    boolean leave(TableName table) {
        boolean isFirst = leftInTurn.isEmpty();
        leftInTurn.add(table);
        left.add(table);
        return isFirst;
    }

    /** Whether there was no time for this table in this turn. */
    boolean isLeft(TableName table) {
        return leftInTurn.contains(table);
    }
}
