/** Reads HDFS for the doctor: NameNode, DataNodes, folders. An adapter. */
@NullMarked
package io.hearth.doctor.hdfs;

import org.jspecify.annotations.NullMarked;
