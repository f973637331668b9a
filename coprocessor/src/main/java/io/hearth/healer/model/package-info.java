/**
 * What healing is about: regions and who serves them, store files, blocks, replicas, DataNodes and racks, as plain
 * immutable records in HBase's and HDFS's own words.
 */
@NullMarked
package io.hearth.healer.model;

import org.jspecify.annotations.NullMarked;
