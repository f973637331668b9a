package io.hearth.balancer.search;

/** What a move is sought for, and so which moves come into question. */
interface Aim {

    /** Whether it would help at all if this region left its server. */
    boolean considers(int region);

    /** Whether this move helps, and does no harm that this aim may not do. */
    boolean allows(int region, int from, int to);
}
