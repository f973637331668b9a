// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.core.RegionPlanner.PreviousHosts;
import io.hearth.healer.queue.AssignmentDiff;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PreviousHostsTest {

    private static final EncodedRegionName REGION = new EncodedRegionName("r");

    private final PreviousHosts previousHosts = new PreviousHosts();

    @Test
    void theHostBeforeTheOneOfNow() {
        assertThat(previousHosts.before(REGION, "a")).isEmpty();
        leaves("a");
        assertThat(previousHosts.before(REGION, "b")).contains("a");
        leaves("b");
        assertThat(previousHosts.before(REGION, "c")).contains("b");
        assertThat(previousHosts.before(REGION, "a")).as("back again").contains("b");
    }

    @Test
    void aRestartedServerIsNoOtherHost() {
        leaves("a");
        leaves("b");
        assertThat(previousHosts.before(REGION, "b")).contains("a");
        leaves("b");
        assertThat(previousHosts.before(REGION, "b")).as("restarted twice").contains("a");
        assertThat(previousHosts.before(REGION, "c")).contains("b");
    }

    @Test
    void aRegionThatIsGoneIsForgotten() {
        leaves("a");
        previousHosts.follow(diff(new TreeMap<>(Map.of(REGION, "b")), new TreeSet<>(Set.of(REGION))));

        assertThat(previousHosts.before(REGION, "c")).isEmpty();
    }

    /** It can go while there is no loop, and then no diff tells of it. */
    @Test
    void aRegionThatNobodyKnowsIsForgotten() {
        leaves("a");
        previousHosts.forgetGone(REGION::equals);
        assertThat(previousHosts.before(REGION, "b")).contains("a");
        previousHosts.forgetGone(region -> false);

        assertThat(previousHosts.before(REGION, "b")).isEmpty();
    }

    private void leaves(String host) {
        previousHosts.follow(diff(new TreeMap<>(Map.of(REGION, host)), new TreeSet<>()));
    }

    private static AssignmentDiff diff(
            SortedMap<EncodedRegionName, String> hostLeftByRegion, SortedSet<EncodedRegionName> gone) {
        return new AssignmentDiff(new TreeSet<>(), hostLeftByRegion, gone, new TreeSet<>());
    }
}
