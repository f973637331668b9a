/**
 * Scenario files: a cluster, its load over time, what befalls it and what is expected of the balancer, in YAML that a person
 * reads as prose.
 */
@NullMarked
package io.hearth.sim.scenario;

import org.jspecify.annotations.NullMarked;
