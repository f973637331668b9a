// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.NullMarked;

/** Takes the word of what went wrong with finding out where blocks are. Implementations are thread-safe and never throw. */
@NullMarked
interface LocalityErrorHandler {

    /** The NameNode could not be asked: it is left alone for a time. */
    void nameNodeUnavailable(Throwable failure);

    /** It could not say where the blocks of this region are: the region is left alone for a time. */
    void regionNotRead(RegionInfo region, Throwable failure);

    /** The servers' reports could not be used. */
    void reportsNotRead(Throwable failure);
}
