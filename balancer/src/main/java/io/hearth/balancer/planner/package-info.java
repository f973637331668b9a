/** From a snapshot to a plan: directed search under hard rules, with the reason for every move and for every refusal. */
@NullMarked
package io.hearth.balancer.planner;

import org.jspecify.annotations.NullMarked;
