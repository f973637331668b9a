/** What a plan is: what it has to reach, its moves with the reason for each, its bounds, and why hot regions stay. */
@NullMarked
package io.hearth.balancer.plan;

import org.jspecify.annotations.NullMarked;
