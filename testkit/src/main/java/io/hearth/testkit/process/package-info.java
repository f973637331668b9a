/**
 * A cluster of operating-system processes: a NameNode, ZooKeeper, HMasters, and hosts with a DataNode and a RegionServer each,
 * every host with an address of its own; and the command {@code bin/hearth cluster}.
 */
package io.hearth.testkit.process;
