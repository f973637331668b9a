/**
 * The way from a rack to all others where the kernel can't hold packets back: a process between two TAP devices that does. It is started as a
 * member of the cluster, and nothing of HDFS or HBase is on its class path.
 */
@NullMarked
package io.hearth.testkit.process.uplink;

import org.jspecify.annotations.NullMarked;
