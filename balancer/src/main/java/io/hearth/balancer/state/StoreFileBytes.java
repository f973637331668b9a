// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

/**
 * What a server reported of the store files of one region, or of all of its regions, in bytes. Immutable.
 *
 * @param storeBytes size of the store files
 * @param localBytes bytes of their blocks with a replica on the server; at most {@code blockBytes} is counted of them
 * @param blockBytes bytes of all their blocks; 0 where the server did not say, or there are none
 */
public record StoreFileBytes(long storeBytes, long localBytes, long blockBytes) {

    /** Of no store file. */
    public static final StoreFileBytes NONE = new StoreFileBytes(0, 0, 0);

    /** Bytes of the blocks without a replica on the server. */
    public long remoteBytes() {
        return Math.max(0, blockBytes - localBytes);
    }

    /** Both together; of the local bytes no more count than there are bytes of blocks. */
    StoreFileBytes plus(StoreFileBytes other) {
        return new StoreFileBytes(
                storeBytes + other.storeBytes,
                localBytes + Math.min(other.localBytes, other.blockBytes),
                blockBytes + other.blockBytes);
    }
}
