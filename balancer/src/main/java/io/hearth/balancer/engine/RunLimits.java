package io.hearth.balancer.engine;

/**
 * What HBase's own settings allow one run. Immutable.
 *
 * @param regionCountSlop how far a server's number of regions may be from the mean, as a share of it ({@code
 *     hbase.regions.slop}); below 0 means that the number does not matter
 * @param maxMoves the most moves of one plan
 */
public record RunLimits(double regionCountSlop, int maxMoves) {

    /** The least that a plan may always move, as in HBase's {@code MoveCostFunction}. */
    public static final int ALWAYS_ALLOWED_MOVES = 600;

    /** As in the stock {@code MoveCostFunction}: a share of all regions, but at least {@value #ALWAYS_ALLOWED_MOVES}. */
    public static RunLimits of(double regionCountSlop, int regions, double maxMovePercent) {
        return new RunLimits(regionCountSlop, Math.max((int) (regions * maxMovePercent), ALWAYS_ALLOWED_MOVES));
    }
}
