/**
 * Scenario files: a cluster, its load over time, what befalls it and what is expected of the balancer, in sentences that a
 * person reads and {@code ScenarioReader} understands.
 */
@NullMarked
package io.hearth.sim.scenario;

import org.jspecify.annotations.NullMarked;
