/**
 * The benchmark of a cluster of processes under a client's load: what becomes of locality, bytes and latencies after a crash, beside an
 * empty host and under a hot spot, with the stock balancer, with major compactions besides, and with Hearth.
 */
@NullMarked
package io.hearth.bench.cluster;

import org.jspecify.annotations.NullMarked;
