// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.cost.TableWeights;
import java.util.List;

/**
 * Everything that a page is made from: the cluster, the balancer and the healer at one time, and what the doctor found last. Immutable.
 *
 * @param atMs when it was seen, in milliseconds since 1970
 * @param master the master that saw it
 * @param weights how much each table counts in plans
 */
public record PageInput(
        long atMs,
        String master,
        List<ServerStatus> servers,
        TableWeights weights,
        BalancerStatus balancer,
        HealerStatus healing,
        DoctorReport doctor) {

    public PageInput {
        servers = List.copyOf(servers);
    }

    /** The same without the servers that are being emptied: what is even is even over the others. */
    PageInput serving() {
        return new PageInput(
                atMs,
                master,
                servers.stream().filter(server -> !server.isDraining()).toList(),
                weights,
                balancer,
                healing,
                doctor);
    }
}
