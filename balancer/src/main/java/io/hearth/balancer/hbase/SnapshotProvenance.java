package io.hearth.balancer.hbase;

/**
 * When and by what a snapshot was taken. Immutable.
 *
 * @param takenAtMs when, in milliseconds since 1970
 * @param takenBy what took it, such as {@code the master} or {@code bin/hearth snapshot capture}
 * @param hbaseVersion the cluster's version of HBase
 */
public record SnapshotProvenance(long takenAtMs, String takenBy, String hbaseVersion) {}
