package io.hearth.balancer.plan;

/**
 * What a move costs, in the unit of the gain: weight times multiples of a server's fair share. With a weight of 200, a gain
 * of 2 is one server that comes 1 % of its fair share nearer to its target. Immutable.
 *
 * @param perMove the region is closed for a moment: the same for every move
 * @param bytesToHeal a region as large as everything that a server stores, not a byte of it local at the target and every
 *     byte local where it is; the healer brings everything home in the end, so a byte that is not local now either costs
 *     nothing, and one that would become local is a gain
 * @param coldCache a region with all the reads of a server, which begins with an empty block cache at the target
 */
public record MoveCosts(double perMove, double bytesToHeal, double coldCache) {

    public static final MoveCosts DEFAULT = new MoveCosts(0.2, 25, 5);

    /** Moves are free. */
    public static final MoveCosts NONE = new MoveCosts(0, 0, 0);
}
