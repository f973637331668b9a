/** How uneven a load is: skew of one dimension, table weights, and sums that a move changes in constant time. */
@NullMarked
package io.hearth.balancer.cost;

import org.jspecify.annotations.NullMarked;
