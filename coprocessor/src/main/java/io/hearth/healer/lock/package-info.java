/**
 * Who works: of all healers of a cluster, in whatever process, one at a time. The states of the lock that they share, and the
 * port to it.
 */
@NullMarked
package io.hearth.healer.lock;

import org.jspecify.annotations.NullMarked;
