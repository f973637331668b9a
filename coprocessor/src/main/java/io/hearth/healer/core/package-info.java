/**
 * The healing loop: poll, queue, list, plan, move, verify, tell. It has no thread and never sleeps; a runner drives
 * it and hands in the time.
 */
@NullMarked
package io.hearth.healer.core;

import org.jspecify.annotations.NullMarked;
