// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process;

import io.hearth.testkit.embedded.ClusterHost;
import java.util.List;

/**
 * A process that does one thing on a host of the cluster and ends.
 *
 * @param name of its logs, and under which it is written down; no member's
 * @param host where it runs
 * @param mainClass what it runs
 * @param arguments what that is called with
 */
public record OneShotProcess(String name, ClusterHost host, String mainClass, List<String> arguments) {

    public OneShotProcess {
        arguments = List.copyOf(arguments);
    }
}
