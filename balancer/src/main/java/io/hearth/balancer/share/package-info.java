/** How uneven a load is: what is fair for a server, skew of one dimension, and sums that a move changes in constant time. */
@NullMarked
package io.hearth.balancer.share;

import org.jspecify.annotations.NullMarked;
