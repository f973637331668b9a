/**
 * What the balancer remembers between runs: moves in flight, cool-downs, manual moves, budgets, and how right its plans
 * were; state machines on a clock that is handed in.
 */
@NullMarked
package io.hearth.balancer.tracking;

import org.jspecify.annotations.NullMarked;
