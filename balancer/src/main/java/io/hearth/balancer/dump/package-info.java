/** All that a plan is made from as one JSON text, so that the same plan can be made again elsewhere. */
@NullMarked
package io.hearth.balancer.dump;

import org.jspecify.annotations.NullMarked;
