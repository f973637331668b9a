/**
 * A DataNode's configuration files, metrics and thread, as the deletion delay needs them. This package is an adapter: it knows Hadoop's
 * own classes, and no room knows it.
 */
@NullMarked
package io.hearth.datanode.hdfs;

import org.jspecify.annotations.NullMarked;
