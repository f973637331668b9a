// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.balancer.plan.RegionReason;
import io.hearth.cli.client.PlanClient.NoPlanException;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanClientTest {

    private static final String META = "1588230740";
    private static final RegionReason REASON =
            new RegionReason(META, "hbase:meta", "host1:16020", "NO_GAIN", "no move of it gains");

    @Test
    void aRegionWithoutAPlanIsNamedBesideOneThatHasOne() {
        assertThatThrownBy(() -> PlanClient.ofEach(List.of(META, "0123456789abcdef0123456789abcdef"), List.of(REASON)))
                .isInstanceOf(NoPlanException.class)
                .hasMessage("no plan is made for the servers of 0123456789abcdef0123456789abcdef now:"
                        + " hearth.balancer.mode is off, they are fewer than two, the region is not open, the run had no time"
                        + " left for its table (hearth.balancer.plan.deadline.ms), or the plan failed, as the master's log then"
                        + " says");
    }

    @Test
    void aNameIsOfTheRegionThatItEncodes() throws Exception {
        assertThat(PlanClient.ofEach(List.of("hbase:meta,,1.1588230740", META), List.of(REASON)))
                .containsExactly(REASON);
    }
}
