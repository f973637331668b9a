// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.planner;

import io.hearth.balancer.plan.PlanGoals.TableGoal;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many regions of which table every server has, kept up to date move by move; and how many moves for heat each table
 * has left.
 *
 * <p>The unevenness of a table is the sum over the servers of the square of its regions above what slop allows, in multiples
 * of the mean (at least of one region); what slop allows goes with a server's capacity; a table counts as much as its share of all regions. Scratch of one search; not
 * thread-safe.
 */
final class TableIndex {

    /** Of a product that is a whole number: it is no region more. */
    private static final double ROUNDING = 1e-9;

    /** So many pairs of a table and a server for each region are few: they are counted in an array. */
    private static final int FEW_PAIRS_PER_REGION = 4;

    private final int[] tableOf;
    private final int servers;
    /** {@code above[table * servers + server]}: regions above {@link #most}; empty where there are many such pairs, or none matters. */
    private final int[] above;

    /** How many regions of which table each server has, where there are too many pairs for {@link #above}. */
    private final LongCountMap counts;

    private final double[] weight;
    /** How many regions of each table a server of mean capacity may have at no cost. */
    private final double[] most;

    private final double[] capacity;
    private final int[] movesLeft;
    private final boolean matters;
    /** How many tables are crowded on each server. */
    private final int[] crowdedTables;

    TableIndex(PlanIndex index) {
        TableGoal goal = index.goals.tables();
        servers = index.servers;
        tableOf = new int[index.regions];
        List<TableId> tables = numberTables(index);
        int[] regionsOf = new int[tables.size()];
        matters = goal.weight() > 0;
        long pairs = (long) tables.size() * servers;
        boolean areFew = pairs <= (long) FEW_PAIRS_PER_REGION * index.regions;
        counts = new LongCountMap(matters && !areFew ? index.regions : 0);
        for (int region = 0; region < index.regions; region++) {
            regionsOf[tableOf[region]]++;
        }
        weight = new double[tables.size()];
        most = new double[tables.size()];
        capacity = index.capacity;
        movesLeft = new int[tables.size()];
        for (int table = 0; table < tables.size(); table++) {
            double mean = (double) regionsOf[table] / servers;
            double unit = Math.max(1, mean);
            most[table] = mean * (1 + goal.slop());
            weight[table] = goal.weight() * regionsOf[table] / index.regions / (unit * unit);
            movesLeft[table] =
                    index.goals.limits().movesLeftByTable().getOrDefault(tables.get(table), Integer.MAX_VALUE);
        }
        crowdedTables = new int[servers];
        above = new int[matters && areFew ? (int) pairs : 0];
        Arrays.setAll(above, pair -> -most(pair / servers, pair % servers));
        for (int region = 0; matters && region < index.regions; region++) {
            add(tableOf[region], index.initialServer[region]);
        }
    }

    private List<TableId> numberTables(PlanIndex index) {
        List<TableId> tables = new ArrayList<>();
        Map<TableId, Integer> numberByTable = new HashMap<>();
        for (int region = 0; region < index.regions; region++) {
            TableId table = index.state[region].table();
            Integer number = numberByTable.get(table);
            if (number == null) {
                number = tables.size();
                numberByTable.put(table, number);
                tables.add(table);
            }
            tableOf[region] = number;
        }
        return tables;
    }

    /** How many regions of this table this server may have at no cost: one always. */
    private int most(int table, int server) {
        return (int) Math.max(1, Math.ceil(most[table] * capacity[server] - ROUNDING));
    }

    private long pair(int table, int server) {
        return (long) table * servers + server;
    }

    /** How many regions this server has of this table above those that cost nothing; below 0 where it may have more. */
    private int above(int table, int server) {
        return above.length > 0
                ? above[table * servers + server]
                : counts.get(pair(table, server)) - most(table, server);
    }

    private void add(int table, int server) {
        count(table, server, 1);
        crowdedTables[server] += above(table, server) == 1 ? 1 : 0;
    }

    private void remove(int table, int server) {
        count(table, server, -1);
        crowdedTables[server] -= above(table, server) == 0 ? 1 : 0;
    }

    private void count(int table, int server, int more) {
        if (above.length > 0) {
            above[table * servers + server] += more;
        } else {
            counts.add(pair(table, server), more);
        }
    }

    /** Whether the table of this region may have one more move for heat. */
    boolean hasMovesLeft(int region) {
        return movesLeft[tableOf[region]] > 0;
    }

    /** Whether the tables of these regions may have one more move for heat each. */
    boolean haveMovesLeft(int one, int other) {
        int needed = tableOf[one] == tableOf[other] ? 2 : 1;
        return movesLeft[tableOf[one]] >= needed && movesLeft[tableOf[other]] >= needed;
    }

    /** Whether its table has more regions on this server than its slop allows. */
    boolean isCrowded(int region, int server) {
        return matters && above(tableOf[region], server) > 0;
    }

    /** Whether any table has more regions on this server than its slop allows: else none of them makes tables more even by leaving. */
    boolean isAnyCrowded(int server) {
        return crowdedTables[server] > 0;
    }

    /** By how much it lowers the unevenness to move this region. */
    double gain(int region, int from, int to) {
        if (!matters) {
            return 0;
        }
        int table = tableOf[region];
        int fewer = Math.max(0, above(table, from));
        int more = Math.max(0, above(table, to) + 1);
        double gain = fewer > 0 ? 2.0 * fewer - 1 : 0;
        double loss = more > 0 ? 2.0 * more - 1 : 0;
        return weight[table] * (gain - loss);
    }

    /** The same for two regions that change places. */
    double gainOfSwap(int given, int taken, int from, int to) {
        return tableOf[given] == tableOf[taken] ? 0 : gain(given, from, to) + gain(taken, to, from);
    }

    /** What {@link #gain} of a region of this server is at most, wherever the region goes. */
    double mostGain(int region, int from) {
        if (crowdedTables[from] == 0) {
            return 0;
        }
        int table = tableOf[region];
        int fewer = above(table, from);
        return fewer > 0 ? weight[table] * (2.0 * fewer - 1) : 0;
    }

    /** Uses up one of the moves for heat that its table has left. */
    void spend(int region) {
        movesLeft[tableOf[region]]--;
    }

    /** A move for heat is taken back. */
    void giveBack(int region) {
        movesLeft[tableOf[region]]++;
    }

    void move(int region, int from, int to) {
        shift(tableOf[region], from, to);
    }

    /** Takes back a move. */
    void undo(int region, int from, int to) {
        shift(tableOf[region], to, from);
    }

    private void shift(int table, int from, int to) {
        if (matters) {
            remove(table, from);
            add(table, to);
        }
    }

    /** The whole unevenness of tables, anew: what {@link #gain} lowers. */
    double unevenness() {
        double sum = 0;
        for (int table = 0; matters && table < weight.length; table++) {
            for (int server = 0; server < servers; server++) {
                double over = Math.max(0, above(table, server));
                sum += weight[table] * over * over;
            }
        }
        return sum;
    }

    /** A count for each number that was ever counted: a hash table over primitives. Not thread-safe. */
    static final class LongCountMap {

        private static final long FREE = -1;

        private long[] keys;
        private int[] counts;
        private int used;

        /** @param expected how many different numbers there will be, about */
        LongCountMap(int expected) {
            int size = Integer.highestOneBit(Math.max(8, expected)) * 4;
            keys = new long[size];
            counts = new int[size];
            Arrays.fill(keys, FREE);
        }

        /** The count of this number, 0 where it was never counted. */
        int get(long key) {
            int slot = slot(key);
            return keys[slot] == FREE ? 0 : counts[slot];
        }

        void add(long key, int change) {
            int slot = slot(key);
            if (keys[slot] == FREE) {
                keys[slot] = key;
                used++;
            }
            counts[slot] += change;
            if (used * 2 > keys.length) {
                grow();
            }
        }

        private int slot(long key) {
            long mixed = key * 0x9E3779B97F4A7C15L;
            int slot = (int) (mixed >>> 32) & (keys.length - 1);
            while (keys[slot] != FREE && keys[slot] != key) {
                slot = (slot + 1) & (keys.length - 1);
            }
            return slot;
        }

        private void grow() {
            long[] oldKeys = keys;
            int[] oldCounts = counts;
            keys = new long[oldKeys.length * 2];
            counts = new int[oldKeys.length * 2];
            Arrays.fill(keys, FREE);
            for (int old = 0; old < oldKeys.length; old++) {
                if (oldKeys[old] != FREE) {
                    int slot = slot(oldKeys[old]);
                    keys[slot] = oldKeys[old];
                    counts[slot] = oldCounts[old];
                }
            }
        }
    }
}
