// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.value;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.RegionState;
import org.junit.jupiter.api.Test;

class ValueClusterTest {

    private static Admin adminWithInTransition(int regions) throws IOException {
        List<RegionState> inTransition = Collections.nCopies(
                regions,
                RegionState.createForTesting(RegionInfoBuilder.FIRST_META_REGIONINFO, RegionState.State.OPENING));
        ClusterMetrics metrics = mock(ClusterMetrics.class);
        when(metrics.getRegionStatesInTransition()).thenReturn(inTransition);
        Admin admin = mock(Admin.class);
        when(admin.getClusterMetrics()).thenReturn(metrics);
        return admin;
    }

    @Test
    void aRunThatWasRefusedIsNoQuietOne() {
        assertThatCode(() -> ValueCluster.requireRun(true)).doesNotThrowAnyException();
        assertThatThrownBy(() -> ValueCluster.requireRun(false))
                .isInstanceOf(IOException.class)
                .hasMessage("the HMaster did not run its balancer: it is off, regions are in transition, or a dead"
                        + " server is processed; the HMaster's log says which");
    }

    @Test
    void regionsThatStayInTransitionAreNotWaitedForWithoutEnd() throws Exception {
        Admin stuck = adminWithInTransition(2);
        Admin quiet = adminWithInTransition(0);

        assertThatCode(() -> ValueCluster.awaitNoneInTransition(quiet, Duration.ZERO))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ValueCluster.awaitNoneInTransition(stuck, Duration.ZERO))
                .isInstanceOf(IOException.class)
                .hasMessage("2 regions are in transition after 0 s; the HMaster's log says why");
    }
}
