/** The cluster's state at one time: servers, regions, their loads, sizes and bytes by host, and what must stay where it is. */
@NullMarked
package io.hearth.balancer.state;

import org.jspecify.annotations.NullMarked;
