/**
 * A cluster of operating-system processes: a NameNode, ZooKeeper, HMasters, and hosts with a DataNode and a RegionServer each,
 * every host with an address of its own; and the command {@code bin/hearth cluster}.
 */
@NullMarked
package io.hearth.testkit.process;

import org.jspecify.annotations.NullMarked;
