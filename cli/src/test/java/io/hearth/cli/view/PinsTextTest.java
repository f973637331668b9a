// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PinsTextTest {

    @Test
    void aPinSaysWhoWhyAndUntilWhen() {
        assertThat(PinsText.of(List.of(ClusterSummaryFixtures.pin())))
                .containsExactly(
                        "REGION                            TABLE   SERVER         SINCE                 AT MOST UNTIL"
                                + "         WHO  WHY",
                        "1588230740aabbccddeeff0011223344  orders  host1,16020,7  2023-11-14 22:13 UTC "
                                + " 2023-11-15 22:13 UTC  ann  it was moved here manually");
        assertThat(PinsText.of(List.of())).containsExactly("No region is pinned.");
    }

    @Test
    void aProgramReadsMillisecondsAndTheKindOfPin() {
        assertThat(PinsText.table(List.of(ClusterSummaryFixtures.pin())).csv())
                .containsExactly(
                        "region,table,server,sinceMs,untilMs,who,why,pin",
                        "1588230740aabbccddeeff0011223344,orders,\"host1,16020,7\",1700000000000,1700086400000,ann,it was"
                                + " moved here manually,MOVED_MANUALLY");
    }
}
