/**
 * The benchmarks: what a run costs in time and memory, beside the threshold it has to stay under. Run by {@code bin/hearth
 * bench}, never as a test.
 */
@NullMarked
package io.hearth.bench;

import org.jspecify.annotations.NullMarked;
