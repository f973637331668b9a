/**
 * How fast healing may go: a rate that grows by steps, halves under pressure and never passes the operator's limit, and the
 * tests that tell pressure from an ordinary day.
 */
@NullMarked
package io.hearth.healer.throttle;

import org.jspecify.annotations.NullMarked;
