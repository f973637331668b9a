package io.hearth.checks;

import io.hearth.chaos.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One seed of each fault of {@code bin/hearth chaos}, all on one cluster. */
@Tag("soak")
class ChaosIT {

    private static final long SEED = 1;

    private static ChaosCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = ChaosCluster.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.stop();
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nothingIsLostAndAllIsLocalAndEvenAgain(Fault fault) throws Exception {
        cluster.survives(fault, SEED);
    }
}
