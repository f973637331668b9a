/**
 * Adapter: the only package of the healer that imports HDFS. It asks the NameNode for blocks and DataNodes, has DataNodes replace
 * replicas, and asks the configured placement policy. Almost everything it touches is {@code @InterfaceAudience.Private} in Hadoop;
 * docs/internals.md lists it.
 */
@NullMarked
package io.hearth.healer.hdfs;

import org.jspecify.annotations.NullMarked;
