/**
 * An embedded cluster: real HDFS and real HBase in one JVM, with hosts and racks that both believe in.
 * This package is an adapter: it is made of HBase's and HDFS's own classes.
 */
@NullMarked
package io.hearth.testkit.embedded;

import org.jspecify.annotations.NullMarked;
