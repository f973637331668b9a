/**
 * Where the blocks of each region are: a cache that can't keep an answer from before a change, and the signal that says
 * what has changed.
 */
@NullMarked
package io.hearth.balancer.locality;

import org.jspecify.annotations.NullMarked;
