package io.hearth.balancer.cost;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.LoadVector;

/**
 * How much a table's heat counts in each dimension: 1 as it is, 3 three times as much, 0 not at all. Immutable.
 *
 * @param reads weight of its reads, at least 0
 * @param writes weight of its writes and of what they leave in the memstores, at least 0
 * @param storeSize weight of its store size, at least 0
 */
public record TableWeight(double reads, double writes, double storeSize) {

    /** Every dimension as it is. */
    public static final TableWeight ONE = new TableWeight(1, 1, 1);

    /** The load of a region of this table as it counts. */
    public LoadVector weigh(LoadVector load) {
        return LoadVector.of(
                load.get(LoadDimension.READS) * reads,
                load.get(LoadDimension.WRITES) * writes,
                load.get(LoadDimension.STORE_SIZE) * storeSize,
                load.get(LoadDimension.MEMSTORE) * writes);
    }
}
