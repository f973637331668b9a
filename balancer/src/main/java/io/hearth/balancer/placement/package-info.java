/**
 * Where regions land that have lost their server: the server that holds most of their bytes, below caps on heat and on the
 * number of regions, from what is known already.
 */
@NullMarked
package io.hearth.balancer.placement;

import org.jspecify.annotations.NullMarked;
