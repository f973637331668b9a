// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.throttle;

/** A reason to go slower. */
public enum ThrottleReason {
    /** A DataNode makes as many moves as it allows. */
    DATANODE_BUSY,
    /** The NameNode answers a call of ours that is always the same much later than it used to. */
    NAMENODE_SLOW,
    /** RegionServers answer a read of ours that is always the same much later than they used to. */
    READS_SLOW,
    /** The HDFS Balancer is at work. */
    HDFS_BALANCER,
    /** The HDFS Mover is at work. */
    HDFS_MOVER
}
