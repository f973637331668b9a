package io.hearth.procs.layout;

import io.hearth.cluster.ClusterHost;

/**
 * One process of the cluster.
 *
 * @param name such as {@code regionserver3}; also the name of its logs
 * @param role what it does
 * @param host where it runs
 */
public record Member(String name, Role role, ClusterHost host) {}
