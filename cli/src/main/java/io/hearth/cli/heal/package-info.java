/**
 * Adapter: healing in a process of its own, which has a client's connection to HBase and nothing of a master's memory: regions
 * from hbase:meta, what servers report from the cluster's metrics, tables from their descriptors.
 */
@NullMarked
package io.hearth.cli.heal;

import org.jspecify.annotations.NullMarked;
