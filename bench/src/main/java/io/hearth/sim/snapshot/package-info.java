/** Snapshot files: reads strictly what {@code SnapshotWriter} writes, and says what is wrong, where, and what is allowed. */
@NullMarked
package io.hearth.sim.snapshot;

import org.jspecify.annotations.NullMarked;
