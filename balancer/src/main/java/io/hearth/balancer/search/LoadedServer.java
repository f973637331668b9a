package io.hearth.balancer.search;

/** A server as {@link MoveBound} sees it, in one dimension; loads in multiples of the mean server's. Immutable. */
final class LoadedServer {

    final double capacity;
    final int regions;
    final double load;
    final double hottestPinned;
    final GivenLoads movable;

    /**
     * @param regions how many it has
     * @param movable the loads of those that may be moved
     * @param pinned the load of all others
     * @param hottestPinned the largest of these; 0 where there are none
     */
    LoadedServer(double capacity, int regions, double[] movable, double pinned, double hottestPinned) {
        this.capacity = capacity;
        this.regions = regions;
        this.movable = new GivenLoads(movable);
        this.hottestPinned = hottestPinned;
        load = pinned + this.movable.total();
    }
}
