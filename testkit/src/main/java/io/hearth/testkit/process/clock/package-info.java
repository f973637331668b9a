/**
 * A wall clock that can be set for one JVM while it runs: an agent that points a server's own classes to it. Nothing here knows more than
 * the JDK, because it is loaded into HDFS's and HBase's servers.
 */
@NullMarked
package io.hearth.testkit.process.clock;

import org.jspecify.annotations.NullMarked;
