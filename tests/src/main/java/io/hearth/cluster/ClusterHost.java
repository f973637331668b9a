package io.hearth.cluster;

/**
 * One host of the embedded cluster: a DataNode and a RegionServer under one name and one address.
 *
 * @param name host name as HDFS and HBase report it, for example {@code host1}
 * @param address IPv4 address of that name on the loopback device, for example {@code 127.0.0.11}
 * @param rack network location as HDFS writes it, for example {@code /rack1}
 */
public record ClusterHost(String name, String address, String rack) {}
