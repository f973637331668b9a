/**
 * What a plan is worth, measured from the outside: evenness, moves and bytes after it, and what no plan could do better. It
 * shares no code with Hearth's planner, so that the two can disagree, and measures Hearth's and the stock balancer's plans
 * alike.
 */
@NullMarked
package io.hearth.sim.oracle;

import org.jspecify.annotations.NullMarked;
