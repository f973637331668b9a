/**
 * Moves under way: their states and legal changes, slots and bytes that limit them, retries and back-pressure.
 */
@NullMarked
package io.hearth.healer.move;

import org.jspecify.annotations.NullMarked;
