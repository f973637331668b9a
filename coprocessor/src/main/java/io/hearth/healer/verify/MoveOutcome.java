// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

/** The NameNode's word on a move. */
public enum MoveOutcome {
    /** Not settled: more holders than wanted, the new replica not known yet, or racks or replicas short for now. */
    PENDING,
    /** A replica at the target, as many replicas as wanted, on at least as many racks as before. */
    VERIFIED,
    /** The block is whole without the target's replica, lastingly: it was there and was deleted, or it never came to be known. */
    REVERTED,
    /** The file or the block does not exist any more. */
    BLOCK_DELETED,
    /** The time allowed is over, and the NameNode's last answer does not say; or the NameNode was away, and the replica went with the hint. */
    INCONCLUSIVE
}
