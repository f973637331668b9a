/**
 * Clusters that are hard to make even, in families of one kind each, and what Hearth's plans for them come to: beside a lower
 * bound, a general solver's plans, and the figures of an earlier planner.
 */
@NullMarked
package io.hearth.bench.plan.family;

import org.jspecify.annotations.NullMarked;
