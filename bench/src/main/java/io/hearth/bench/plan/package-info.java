/**
 * The benchmark of the plan: Hearth's and the stock balancer's plans on the same synthetic clusters, side by side in one JVM,
 * with what each costs and what no plan could do better.
 */
@NullMarked
package io.hearth.bench.plan;

import org.jspecify.annotations.NullMarked;
