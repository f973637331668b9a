// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.probe;

import java.util.Locale;

/** What a probe asks for. The order and the names are in stored files: new kinds are added at the end. */
public enum ProbeKind {
    /** A get of the canary region of a RegionServer. */
    GET,
    /** A put to the canary region of a RegionServer. */
    PUT,
    /** A get of a row of a table of the operator's, from a RegionServer. */
    ROW_GET,
    /** 64 KiB written to a DataNode. */
    HDFS_WRITE,
    /** 64 KiB read from a DataNode. */
    HDFS_READ,
    /** A call of a NameNode. */
    NAMENODE,
    /** A read of the ZooKeeper quorum or of the registry of the cluster's masters. */
    REGISTRY;

    /** As it is written in objectives and reports: {@code hdfs-write}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
