/**
 * Adapter: a DataNode's configuration files, metrics and thread, as the deletion delay needs them. It uses Hadoop's own classes, and
 * no pure package uses it.
 */
@NullMarked
package io.hearth.datanode.hdfs;

import org.jspecify.annotations.NullMarked;
