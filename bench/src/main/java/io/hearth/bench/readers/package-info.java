/**
 * The benchmark of the readers: clients read an open HBase table while every block under it moves, with the HDFS client's
 * default settings, with those of {@code conf/}, and with the DataNode jar besides. Each row is a cluster in a JVM of its own,
 * because an HDFS client takes many settings from the first configuration that its JVM has seen.
 */
@NullMarked
package io.hearth.bench.readers;

import org.jspecify.annotations.NullMarked;
