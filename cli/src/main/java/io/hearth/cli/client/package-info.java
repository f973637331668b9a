/**
 * Adapter: a process with a client's connection that observes a cluster, plans and moves, through Hearth in the master where that
 * is there, and by itself where it is not.
 */
@NullMarked
package io.hearth.cli.client;

import org.jspecify.annotations.NullMarked;
