/** What a plan is made from: one immutable look at servers, regions, their loads and what must stay where it is. */
@NullMarked
package io.hearth.balancer.snapshot;

import org.jspecify.annotations.NullMarked;
