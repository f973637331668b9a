/**
 * Adapter: healing in the HMaster. The observer whose hooks start and reload it and leave hints, the thread that drives the
 * loop, and what the loop sees of HBase: assignments, reported locality, store folders, table descriptors, the metric registry.
 */
@NullMarked
package io.hearth.healer.hbase;

import org.jspecify.annotations.NullMarked;
