// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import io.hearth.chaos.Fault;
import io.hearth.docs.HearthScript;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An operator starts both NameNodes anew, one after the other, while block tokens are on: the keys that the healer's tokens were made of go
 * with them. It needs a cluster of its own, because on that of {@link ChaosIT} HBase's user may not have such keys.
 */
@Tag("release-checks")
class BlockTokensIT {

    @Test
    void healingGoesOnThroughARollingRestartOfTheNameNodes() throws Exception {
        CompletedSteps.ofCommitIn(HearthScript.ROOT).once("block-tokens", () -> {
            ChaosCluster cluster = ChaosCluster.startWithBlockTokens();
            try {
                cluster.survives(Fault.NAMENODES_ROLLED, 1);
            } finally {
                cluster.stop();
            }
        });
    }
}
