// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.history;

/** How the work on a region ended. */
public enum HealEndState {
    /** Its blocks are local by the NameNode's word, and its server reports the new locality. */
    REPORTED,
    /** Its blocks are local by the NameNode's word; its server did not report it within an hour. */
    UNREPORTED,
    /** Some of its moves were verified, and something is left for later. */
    UNFINISHED,
    /** It left its server before the new locality was reported. */
    REGION_MOVED,
    /** Shadow mode: this is what would have been moved. */
    ADVISED,
    /** Its blocks can't be moved; a major compaction was asked for. */
    COMPACTION_REQUESTED
}
