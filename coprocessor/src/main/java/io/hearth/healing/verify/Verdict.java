package io.hearth.healing.verify;

/** The NameNode's word on a move. */
public enum Verdict {
    /** Not settled: more holders than wanted, the new replica not known yet, or racks or replicas short for now. */
    PENDING,
    /** A replica at the target, as many replicas as wanted, on at least as many racks as before. */
    HEALED,
    /** The target's replica was there and is not any more, or the DataNode had copied it and it never came to be known. */
    BOUNCED,
    /** The file or the block does not exist any more. */
    GONE,
    /** The time allowed is over and nobody knows. */
    INCONCLUSIVE
}
