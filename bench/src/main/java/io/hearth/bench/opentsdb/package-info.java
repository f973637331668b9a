/** OpenTSDB on a cluster of processes: its server, a stream of metrics through it, and what Hearth makes of its hot spot; and the command {@code bin/hearth bench opentsdb}. */
@NullMarked
package io.hearth.bench.opentsdb;

import org.jspecify.annotations.NullMarked;
