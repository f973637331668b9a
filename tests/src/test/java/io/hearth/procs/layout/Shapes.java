package io.hearth.procs.layout;

import java.util.Map;

/** Shapes of clusters for tests. */
final class Shapes {

    private Shapes() {}

    static Shape of(int hosts, int racks, int masters) {
        return new Shape(hosts, racks, masters, Wiring.NAMESPACES, 0, 0, true, Map.of());
    }

    static Shape shaped(double latencyMs, int nicMegabits) {
        return new Shape(2, 2, 1, Wiring.NAMESPACES, latencyMs, nicMegabits, true, Map.of());
    }

    /** With all that can break: two NameNodes, small disks, clocks that can be set. */
    static Shape fragile(int hosts) {
        return new Shape(hosts, 1, 1, 2, Wiring.NAMESPACES, 0, 0, 512, true, true, true, Map.of());
    }

    static Shape onLoopback(int hosts) {
        return new Shape(hosts, 1, 1, Wiring.LOOPBACK, 0, 0, true, Map.of());
    }
}
