/** The thresholds that a run of the demo is held to, what was measured against them, and the exit code that follows. */
@NullMarked
package io.hearth.demo.threshold;

import org.jspecify.annotations.NullMarked;
