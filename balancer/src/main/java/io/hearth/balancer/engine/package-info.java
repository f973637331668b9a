/** The balancer without HBase: what it has learnt, what it remembers and what it decides, put together. */
@NullMarked
package io.hearth.balancer.engine;

import org.jspecify.annotations.NullMarked;
