/** The figures of a benchmark beside their thresholds, for a person and for a program, and the exit code that follows. */
@NullMarked
package io.hearth.bench.threshold;

import org.jspecify.annotations.NullMarked;
