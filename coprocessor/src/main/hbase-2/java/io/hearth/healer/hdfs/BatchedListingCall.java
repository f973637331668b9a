// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsPartialListing;
import org.apache.hadoop.ipc.RemoteException;

/** {@link BatchedListing} by Hadoop's own client, 3.3 or later: an earlier one throws {@link LinkageError} at the first call. */
final class BatchedListingCall implements BatchedListing {

    private final DFSClient client;

    BatchedListingCall(DFSClient client) {
        this.client = client;
    }

    @Override
    public Page list(String[] paths, byte[] startAfter, boolean located) throws IOException {
        BatchedDirectoryListing page = client.batchedListPaths(paths, startAfter, located);
        if (page == null) {
            return new Page(List.of(), Optional.empty());
        }
        List<PathListing> listings = new ArrayList<>();
        for (HdfsPartialListing listing : page.getListings()) {
            Optional<RemoteException> failure = Optional.ofNullable(listing.getException());
            listings.add(new PathListing(
                    listing.getParentIdx(), failure.isPresent() ? List.of() : listing.getPartialListing(), failure));
        }
        return new Page(listings, page.hasMore() ? Optional.of(page.getStartAfter()) : Optional.empty());
    }
}
