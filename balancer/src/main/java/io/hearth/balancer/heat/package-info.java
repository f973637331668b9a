/** How hot each region is: decayed rates that are kept across moves and gaps, known or unknown with a reason. */
@NullMarked
package io.hearth.balancer.heat;

import org.jspecify.annotations.NullMarked;
