// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KnownMissesTest {

    private static final String KNOWN =
            """
            stock, seed 1 ...
            MISSED  an empty host is added: all is local after 3.3 s, above 0.2 x the 4.8 s of major compactions
            MISSED  rounds: all is local after 2.9 s in the median, above 0.2 x the 4.5 s of major compactions
            MISSED  rounds, gets: p99 while healing is 9.5 ms, above 1.2 x the 6.4 ms before
            """;

    @Test
    void whatIsKnownToBeMissedMayBe() {
        assertThat(KnownMisses.missed(KNOWN)).hasSize(3);
        assertThat(KnownMisses.unknown("cluster", KNOWN)).isEmpty();
        assertThat(KnownMisses.unknown("cluster", "All thresholds hold.\n")).isEmpty();
    }

    @Test
    void anyOtherFails() {
        String notLocal = "an empty host is added: not all is local after 60 s";
        String back = "it is back, gets: p99 while healing is 9.9 ms, above 1.2 x the 4.0 ms before";
        String roundsBack = "rounds back, gets: p99 while healing is 9.9 ms, above 1.2 x the 4.0 ms before";
        String failed = "Hearth: 3 requests failed, the first: none";

        assertThat(KnownMisses.unknown(
                        "cluster",
                        KNOWN + "MISSED  " + notLocal + "\nMISSED  " + back + "\nMISSED  " + roundsBack + "\nMISSED  "
                                + failed + "\n"))
                .containsExactly(notLocal, back, roundsBack, failed);
    }

    @Test
    void aPlanMayTakeSoMuchLongerAndNoMore() {
        String plan = "20 x 2,000, several: the plan takes ";
        String large = "1,000 x 100,000, several: the plan takes 1025.4 ms, above 1000 ms";

        assertThat(KnownMisses.unknown("plan", "MISSED  " + plan + "179.9 ms, above 60 ms\n"))
                .isEmpty();
        assertThat(KnownMisses.unknown("plan", "MISSED  " + plan + "180.1 ms, above 60 ms\nMISSED  " + large + "\n"))
                .containsExactly(plan + "180.1 ms, above 60 ms", large);
    }

    @Test
    void noKnownOneMayBeMissedByAnyFigure() {
        assertThat(KnownMisses.unknown("plan", "MISSED  20 x 2,000, several: the plan takes 5,000.0 ms, above 60 ms\n"))
                .hasSize(1);
        assertThat(KnownMisses.unknown(
                        "cluster",
                        "MISSED  rounds, gets: p99 while healing is 28 ms, above 1.2 x the 10.0 ms before\n"))
                .hasSize(1);
        assertThat(KnownMisses.unknown(
                        "cluster",
                        "MISSED  rounds, gets: p99 while healing is 27 ms, above 1.2 x the 10.0 ms before\n"))
                .isEmpty();
        assertThat(KnownMisses.unknown(
                        KnownMisses.FAMILIES,
                        "MISSED  giants 60x80 seed 3: servers above what is asked without a certificate: 2; s1\n"))
                .hasSize(1);
        assertThat(KnownMisses.unknown(
                        KnownMisses.FAMILIES,
                        "MISSED  giants 60x80 seed 3: servers above what is asked without a certificate: 1; s1\n"))
                .isEmpty();
        assertThat(KnownMisses.unknown("plan", "MISSED  20 x 2,000, several: the plan takes long\n"))
                .hasSize(1);
        String grows = "linearity: bytes per second grow %s x linearly, below 0.9 x\n";
        assertThat(KnownMisses.unknown("cluster", "MISSED  " + grows.formatted("0.89")))
                .isEmpty();
        assertThat(KnownMisses.unknown("cluster", "MISSED  " + grows.formatted("0.50")))
                .hasSize(1);
    }

    @Test
    void eachBenchmarkHasItsOwn() {
        String p95 = "  p95 of 64 clients, on over off: 1.05 x, above 1.00";

        assertThat(KnownMisses.unknown("read-cache", "MISSED  " + p95 + "\n")).isEmpty();
        assertThat(KnownMisses.unknown("heal", "MISSED  " + p95 + "\n")).containsExactly(p95);
        assertThat(KnownMisses.unknown("crash", "MISSED  " + p95 + "\n")).containsExactly(p95);
    }

    @Test
    void ofAFamilyOneThresholdIsKnownAndNoOther() {
        String bytes = "caps 60x80: bytes to heal are 4670 GB, above the 4155 of the earlier planner";
        String ofOthers = "anti 60x80: bytes to heal are 2088 GB, above the 2087 of the earlier planner";
        String twice = "caps 60x80 seed 1: 3 regions move more than once";

        assertThat(KnownMisses.unknown(
                        KnownMisses.FAMILIES,
                        "MISSED  " + bytes + "\nMISSED  " + ofOthers + "\nMISSED  " + twice + "\n"))
                .containsExactly(ofOthers, twice);
        assertThat(KnownMisses.unknown("plan", "MISSED  " + bytes + "\n")).containsExactly(bytes);
    }
}
