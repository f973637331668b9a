// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

/**
 * One host of a test cluster: the servers on it share one name and one address.
 *
 * @param name host name as HDFS and HBase report it, for example {@code host1}
 * @param address IPv4 address of that name, for example {@code 127.0.0.11}
 * @param rack network location as HDFS writes it, for example {@code /rack1}
 */
public record ClusterHost(String name, String address, String rack) {}
