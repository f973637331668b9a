// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;

/**
 * A finalized replica on one of the DataNode's disks, as a client's read found it in the volume map.
 *
 * <p>Each of its streams and channels is the caller's to close, and holds whatever has to be held while it is open. Implementations
 * may be used by another thread than the one that got them.
 */
public interface DiskReplica {

    /** Which replica, of which generation and length. */
    ReplicaVersion version();

    /** Its meta file from the first byte on. */
    InputStream openMeta() throws IOException;

    /** Its data, by a channel of its own. */
    FileChannel openData() throws IOException;

    /** Whether the volume map has it still, finalized and with the same generation stamp and length. */
    boolean isCurrent();
}
