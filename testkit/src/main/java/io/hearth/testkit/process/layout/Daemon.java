// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.embedded.ClusterHost;

/**
 * One process of the cluster.
 *
 * @param name such as {@code regionserver3}; also the name of its logs
 * @param role what it does
 * @param host where it runs
 */
public record Daemon(String name, DaemonRole role, ClusterHost host) {}
