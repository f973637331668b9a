/** Reads HDFS for the doctor: NameNode, DataNodes, folders. A bridge. */
package io.hearth.doctor.hdfs;
