// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import io.hearth.chaos.Fault;
import org.junit.jupiter.api.Tag;

/** The same of the faults that a person makes, on a cluster of its own beside the other, with block tokens. */
@Tag("soak")
class OperatorChaosIT extends ChaosIT {

    @Override
    ChaosCluster startCluster() throws Exception {
        return ChaosCluster.startForOperators();
    }

    @Override
    boolean isMine(Fault fault) {
        return fault.isDoneByAPerson();
    }
}
