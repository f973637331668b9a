// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.layout;

import io.hearth.testkit.process.layout.ClusterSpec.NetworkMode;
import java.util.Map;

/** Shapes of clusters for tests. */
final class ClusterSpecs {

    private ClusterSpecs() {}

    static ClusterSpec of(int hosts, int racks, int masters) {
        return new ClusterSpec(hosts, racks, masters, NetworkMode.NAMESPACES, 0, 0, true, Map.of());
    }

    static ClusterSpec shaped(double latencyMs, int nicMegabits) {
        return new ClusterSpec(2, 2, 1, NetworkMode.NAMESPACES, latencyMs, nicMegabits, true, Map.of());
    }

    /** With all that can break: two NameNodes, small disks, clocks that can be set. */
    static ClusterSpec fragile(int hosts) {
        return new ClusterSpec(hosts, 1, 1, 2, NetworkMode.NAMESPACES, 0, 0, 512, 0, true, true, true, Map.of());
    }

    static ClusterSpec onLoopback(int hosts) {
        return new ClusterSpec(hosts, 1, 1, NetworkMode.LOOPBACK, 0, 0, true, Map.of());
    }
}
