/**
 * The simulator: a cluster on simulated time, with servers that report, crash and join and regions whose true rates are known,
 * under Hearth's real balancer. Everything comes from the scenario and its seed: the same file gives the same run.
 */
@NullMarked
package io.hearth.sim;

import org.jspecify.annotations.NullMarked;
