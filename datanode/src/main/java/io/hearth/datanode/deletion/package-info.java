/**
 * Deletions of replicas that wait for a configured delay, in which readers learn of the new location: what waits, for how long, and
 * what makes it end early.
 */
@NullMarked
package io.hearth.datanode.deletion;

import org.jspecify.annotations.NullMarked;
