// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.tracking;

import io.hearth.balancer.config.TableBudgets;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How many moves for heat were planned for each table in the last hour, kept for every table so that a budget that is set now counts
 * what was planned before. A move counts from its plan for sixty minutes, both ends included, unless it was dropped. Not
 * thread-safe.
 */
final class MoveBudget {

    static final long HOUR_MS = 3_600_000;

    private final Map<TableId, NavigableMap<Long, Integer>> movesByTimeByTable = new HashMap<>();

    void planned(TableId table, long nowMs) {
        movesByTimeByTable.computeIfAbsent(table, first -> new TreeMap<>()).merge(nowMs, 1, Integer::sum);
    }

    /** A move that was planned then was never made. */
    void giveBack(TableId table, long plannedAtMs) {
        NavigableMap<Long, Integer> movesByTime = movesByTimeByTable.get(table);
        if (movesByTime != null) {
            movesByTime.computeIfPresent(plannedAtMs, (time, moves) -> moves == 1 ? null : moves - 1);
        }
    }

    /** How many moves each table with a budget may still make now. */
    Map<TableId, Integer> left(TableBudgets budgets, long nowMs) {
        Map<TableId, Integer> left = new TreeMap<>();
        budgets.limitByTable()
                .forEach((table, limit) -> left.put(table, Math.max(0, limit.most() - used(table, nowMs))));
        return left;
    }

    private int used(TableId table, long nowMs) {
        return movesByTimeByTable.getOrDefault(table, new TreeMap<>()).tailMap(nowMs - HOUR_MS, true).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    void forgetExpired(long nowMs) {
        movesByTimeByTable.values().forEach(moves -> moves.headMap(nowMs - HOUR_MS, false)
                .clear());
        movesByTimeByTable.values().removeIf(Map::isEmpty);
    }

    /** Adds the moves that another master planned. */
    void add(MoveBudget other) {
        other.movesByTimeByTable.forEach((table, movesByTime) -> {
            NavigableMap<Long, Integer> here = movesByTimeByTable.computeIfAbsent(table, first -> new TreeMap<>());
            movesByTime.forEach((timeMs, moves) -> here.merge(timeMs, moves, Integer::sum));
        });
    }

    void write(StateWriter out) throws IOException {
        out.map(movesByTimeByTable, out::table, moves -> out.map(moves, out::number, out::count));
    }

    static MoveBudget read(StateReader in) throws IOException {
        MoveBudget budget = new MoveBudget();
        in.map(budget.movesByTimeByTable, in::table, () -> {
            Map<Long, Integer> read = new TreeMap<>();
            NavigableMap<Long, Integer> moves = new TreeMap<>();
            in.map(read, in::number, in::count);
            read.forEach((time, count) -> moves.merge(in.notAfterNow(time), count, Integer::sum));
            return moves;
        });
        return budget;
    }
}
