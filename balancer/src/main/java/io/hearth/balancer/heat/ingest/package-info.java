/** From the servers' reports to samples: how many requests each region had served, in how much report time. */
@NullMarked
package io.hearth.balancer.heat.ingest;

import org.jspecify.annotations.NullMarked;
