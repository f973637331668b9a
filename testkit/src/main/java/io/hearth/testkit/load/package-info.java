/**
 * A client load on a table of its own: YCSB's mixes and distributions at a given rate, on HBase's stock client, with the latency of every
 * request from the time at which it was due; and the command {@code bin/hearth load}.
 */
@NullMarked
package io.hearth.testkit.load;

import org.jspecify.annotations.NullMarked;
