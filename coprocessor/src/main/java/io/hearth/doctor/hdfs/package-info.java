/** Reads HDFS for the doctor: NameNode, DataNodes, folders. A bridge. */
@NullMarked
package io.hearth.doctor.hdfs;

import org.jspecify.annotations.NullMarked;
