// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

/**
 * How much of a store file a region reads: after a split each daughter reads one half of the parent's files until its own
 * compaction. Which bytes these are only the file itself could say. HBase takes the halves by length for the locality that
 * it reports ({@code StoreFileInfo.computeRefFileHDFSBlockDistribution}), and so do we; the block in the middle is in both.
 */
public enum FilePart {
    /** All of it. */
    WHOLE,
    /** The keys before the split: a bottom reference. */
    FIRST_HALF,
    /** The keys from the split on: a top reference. */
    SECOND_HALF;

    /** Whether some byte of this block lies in this part. */
    public boolean covers(long offsetBytes, long lengthBytes, long fileBytes) {
        return switch (this) {
            case WHOLE -> true;
            case FIRST_HALF -> offsetBytes < fileBytes / 2;
            case SECOND_HALF -> offsetBytes + lengthBytes > fileBytes / 2;
        };
    }

    /** The part that covers both. */
    public FilePart with(FilePart other) {
        return this == other ? this : WHOLE;
    }
}
