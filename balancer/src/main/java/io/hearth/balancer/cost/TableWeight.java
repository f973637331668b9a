package io.hearth.balancer.cost;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;

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
        return LoadVector.of(dimension -> load.get(dimension) * weight(dimension));
    }

    private double weight(LoadDimension dimension) {
        return switch (dimension) {
            case READS -> reads;
            case WRITES, MEMSTORE -> writes;
            case STORE_SIZE -> storeSize;
        };
    }
}
