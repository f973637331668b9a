package io.hearth.checks;

import io.hearth.chaos.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An operator starts both NameNodes anew, one after the other, while block tokens are on: the keys that the healer's tokens were made of go
 * with them. It needs a cluster of its own, because on that of {@link ChaosIT} HBase's user may not have such keys.
 */
@Tag("release-checks")
class BlockTokensIT {

    private ChaosCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = ChaosCluster.startWithBlockTokens();
    }

    @AfterEach
    void stop() throws Exception {
        if (cluster != null) {
            cluster.stop();
        }
    }

    @Test
    void healingGoesOnThroughARollingRestartOfTheNameNodes() throws Exception {
        cluster.survives(Fault.NAMENODES_ROLLED, 1);
    }
}
