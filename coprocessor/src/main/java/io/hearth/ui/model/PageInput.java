// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.cost.TableWeights;
import io.hearth.balancer.state.ClusterState;

/**
 * Everything that a page is made from: the cluster, the balancer and the healer at one time, and what the doctor found last. Immutable.
 *
 * @param cluster what its servers reported and the balancer knows of their regions, with the time
 * @param master the master that saw it
 * @param weights how much each table counts in plans
 */
public record PageInput(
        ClusterState cluster,
        String master,
        TableWeights weights,
        BalancerStatus balancer,
        HealerStatus healing,
        DoctorReport doctor) {

    /** When it was observed, in milliseconds since 1970. */
    public long atMs() {
        return cluster.atMs();
    }
}
