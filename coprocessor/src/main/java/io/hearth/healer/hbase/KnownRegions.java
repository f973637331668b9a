// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

/** The regions of a cluster, asked by name. Asks nobody outside of the process. Thread-safe. */
public interface KnownRegions {

    /** The region of this encoded name, parents of splits included until HBase has cleaned them up. */
    Optional<RegionInfo> region(String encodedName);

    /** Whether this region was split: nobody serves it, and its daughters read its files. */
    boolean isSplit(RegionInfo region);

    /** The regions and region replicas of a table, without parents of splits. */
    List<RegionInfo> ofTable(TableName table);

    /** The regions and region replicas that are open, in any order. */
    List<RegionInfo> open();
}
