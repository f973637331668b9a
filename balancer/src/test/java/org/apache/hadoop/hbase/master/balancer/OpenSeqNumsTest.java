// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.hbase.OpenSeqNumSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What is asked about many regions at once beside what is asked about each. */
class OpenSeqNumsTest {

    private static final int REGIONS = 200;

    private final MasterServices master = mock(MasterServices.class);
    private final RegionStates states = new RegionStates();
    private final OpenSeqNumSource source = OpenSeqNums.source(() -> Optional.of(master));

    @Test
    void manyRegionsHaveTheNumbersThatEachHas() {
        giveItStates();
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<ServerName> servers = IntStream.range(0, 3)
                .mapToObj(i -> ServerName.valueOf("rs" + i, 16020, 1))
                .toList();
        List<RegionInfo> regions = new ArrayList<>();
        for (int i = 0; i < REGIONS; i++) {
            RegionInfo region = region(i);
            regions.add(region);
            RegionStateNode node = states.getOrCreateRegionStateNode(region);
            node.setState(State.values()[random.nextInt(State.values().length)]);
            node.setRegionLocation(random.nextInt(10) == 0 ? null : servers.get(random.nextInt(3)));
            node.setOpenSeqNum(random.nextInt(10) == 0 ? HConstants.NO_SEQNUM : 1 + i);
        }
        regions.add(region(REGIONS)); // which the master does not know

        OpenSeqNumSource many = source.forMany(REGIONS);

        assertThat(many).isNotSameAs(source);
        int served = 0;
        for (RegionInfo region : regions) {
            for (ServerName server : servers) {
                long one = source.of(server, region.getEncodedName());
                assertThat(many.of(server, region.getEncodedName()))
                        .as("seed %d, %s on %s", seed, region, server)
                        .isEqualTo(one);
                served += one > 0 ? 1 : 0;
            }
        }
        assertThat(served).as("seed %d", seed).isPositive();
    }

    @Test
    void aFewRegionsAreAskedAboutByName() {
        giveItStates();
        IntStream.range(0, REGIONS).forEach(i -> states.getOrCreateRegionStateNode(region(i)));

        assertThat(source.forMany(REGIONS / 10 - 1)).isSameAs(source);
        assertThat(source.forMany(REGIONS / 10)).isNotSameAs(source);
    }

    @Test
    void aMasterThatHasNoStatesYetKnowsNothing() {
        OpenSeqNumSource many = source.forMany(REGIONS);

        assertThat(many.of(ServerName.valueOf("rs", 16020, 1), region(1).getEncodedName()))
                .isNegative();
    }

    private void giveItStates() {
        AssignmentManager assignments = mock(AssignmentManager.class);
        when(master.getAssignmentManager()).thenReturn(assignments);
        when(assignments.getRegionStates()).thenReturn(states);
    }

    private static RegionInfo region(int number) {
        return RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                .setStartKey(Bytes.toBytes(number))
                .build();
    }
}
