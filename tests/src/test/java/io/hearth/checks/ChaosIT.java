// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import io.hearth.chaos.Fault;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One seed of each fault of {@code bin/hearth chaos} that comes by itself, all on one cluster. */
@Tag("soak")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChaosIT {

    private static final long SEED = 1;

    private ChaosCluster cluster;

    @BeforeAll
    void start() throws Exception {
        cluster = startCluster();
    }

    ChaosCluster startCluster() throws Exception {
        return ChaosCluster.start();
    }

    @AfterAll
    void stop() throws Exception {
        if (cluster != null) {
            cluster.stop();
        }
    }

    Stream<Fault> faults() {
        return Arrays.stream(Fault.values()).filter(this::isMine);
    }

    /** Without a fault nothing breaks that others do not break: that is one of the release checks. */
    boolean isMine(Fault fault) {
        return !fault.isDoneByAPerson() && fault != Fault.NONE;
    }

    @ParameterizedTest
    @MethodSource("faults")
    void nothingIsLostAndAllIsLocalAndEvenAgain(Fault fault) throws Exception {
        cluster.survives(fault, SEED);
    }
}
