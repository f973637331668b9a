// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import org.apache.hadoop.hdfs.DFSClient;

/** {@link BatchedListing} where Hadoop's client is 3.2, which has none. */
final class BatchedListingCall implements BatchedListing {

    /** @param client a client that can't list several paths at once */
    BatchedListingCall(DFSClient client) {}

    @Override
    public Page list(String[] paths, byte[] startAfter, boolean located) {
        throw new UnsupportedOperationException("Hadoop 3.2 lists one path at a time.");
    }
}
