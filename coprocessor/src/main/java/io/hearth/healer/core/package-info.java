/**
 * The healing loop: poll, queue, list, plan, move, verify, tell. It has no thread and never sleeps; a runner turns its
 * crank with the time in its hand.
 */
@NullMarked
package io.hearth.healer.core;

import org.jspecify.annotations.NullMarked;
