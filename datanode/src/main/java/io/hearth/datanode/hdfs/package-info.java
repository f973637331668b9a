/**
 * Adapter: a DataNode's configuration files, metrics and threads, as the deletion delay and the read cache need them. It uses Hadoop's own classes, and
 * no pure package uses it.
 */
@NullMarked
package io.hearth.datanode.hdfs;

import org.jspecify.annotations.NullMarked;
