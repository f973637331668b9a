// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.ProbedCluster;
import java.util.List;

/** One question about a cluster. Pure. */
interface Check {

    /** The name of its findings. */
    String name();

    /** What it finds; nothing where all is as it should be. */
    List<Finding> examine(ProbedCluster cluster);
}
