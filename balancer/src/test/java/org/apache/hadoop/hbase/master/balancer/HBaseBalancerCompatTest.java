// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalancerDecision;
import org.apache.hadoop.hbase.client.BalancerRejection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.namequeues.BalancerDecisionDetails;
import org.apache.hadoop.hbase.namequeues.BalancerRejectionDetails;
import org.apache.hadoop.hbase.namequeues.NamedQueueRecorder;
import org.apache.hadoop.hbase.namequeues.request.NamedQueueGetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the base of the balancer gives on every line of HBase; the same test runs on each. */
class HBaseBalancerCompatTest {

    private static final ServerName SERVER = ServerName.valueOf("rs", 16020, 1);

    private static final TableName TABLE = TableName.valueOf("t");
    private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
    private static final TableDescriptor DESCRIPTOR = TableDescriptorBuilder.newBuilder(TABLE)
            .setValue("HEARTH_WRITE_WEIGHT", "3")
            .build();

    private final Configuration site = HBaseConfiguration.create();
    private final MasterServices master = mock(MasterServices.class);
    private final AssignmentManager assignments = mock(AssignmentManager.class);
    private final RegionStates states = mock(RegionStates.class);
    private final RegionStateNode node = mock(RegionStateNode.class);
    private final TableDescriptors descriptors = mock(TableDescriptors.class);
    private final HBaseBalancerCompat balancer = new HBaseBalancerCompat() {};

    @BeforeEach
    void giveItAMaster() throws IOException {
        site.setBoolean(BaseLoadBalancer.BALANCER_DECISION_BUFFER_ENABLED, true);
        site.setBoolean(BaseLoadBalancer.BALANCER_REJECTION_BUFFER_ENABLED, true);
        when(master.getConfiguration()).thenReturn(site);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(master.getAssignmentManager()).thenReturn(assignments);
        when(master.getTableDescriptors()).thenReturn(descriptors);
        when(assignments.getRegionStates()).thenReturn(states);
        when(assignments.getAssignedRegions()).thenReturn(List.of(REGION));
        when(states.getRegionStateNodeFromEncodedRegionName(REGION.getEncodedName()))
                .thenReturn(node);
        when(descriptors.getAll()).thenReturn(Map.of("t", DESCRIPTOR));
        when(descriptors.get(TABLE)).thenReturn(DESCRIPTOR);
        HBaseVersionSupport.attach(balancer, master);
    }

    private void nodeIs(State state, long openSeqNum) {
        when(node.isInState(any()))
                .thenAnswer(call -> List.of(call.getArguments()).contains(state));
        when(node.getOpenSeqNum()).thenReturn(openSeqNum);
        when(node.getRegionLocation()).thenReturn(SERVER);
    }

    @Test
    void aServerThatDoesNotServeTheRegionHasNoOpenSequenceOfIt() {
        nodeIs(State.OPEN, 17);

        ServerName other = ServerName.valueOf("other", 16020, 1);
        assertThat(OpenSeqNums.openSeqNum(balancer.master(), other, REGION.getEncodedName()))
                .isEmpty();
    }

    @Test
    void knowsTheMaster() {
        assertThat(balancer.master()).containsSame(master);
        assertThat(new HBaseBalancerCompat() {}.master()).isEmpty();
    }

    @Test
    void knowsTheTablesDescriptors() throws IOException {
        assertThat(balancer.tableDescriptors()).containsExactly(DESCRIPTOR);
        assertThat(balancer.tableDescriptor(TABLE)).contains(DESCRIPTOR);
        assertThat(balancer.tableDescriptor(TableName.valueOf("gone"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"OPEN", "CLOSING", "SPLITTING", "MERGING"})
    void tellsTheOpenSequenceOfARegionThatIsServed(State state) {
        nodeIs(state, 17);

        assertThat(OpenSeqNums.openSeqNum(balancer.master(), SERVER, REGION.getEncodedName()))
                .hasValue(17);
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"OPENING", "CLOSED", "OFFLINE", "ABNORMALLY_CLOSED"})
    void aRegionThatIsNotServedHasNoOpenSequence(State state) {
        nodeIs(state, 17);

        assertThat(OpenSeqNums.openSeqNum(balancer.master(), SERVER, REGION.getEncodedName()))
                .isEmpty();
    }

    @Test
    void anOpenSequenceThatTheMasterDoesNotKnowIsUnknown() {
        nodeIs(State.OPEN, HConstants.NO_SEQNUM);
        assertThat(OpenSeqNums.openSeqNum(balancer.master(), SERVER, REGION.getEncodedName()))
                .isEmpty();

        RegionInfo other = RegionInfoBuilder.newBuilder(TableName.valueOf("u")).build();
        assertThat(OpenSeqNums.openSeqNum(balancer.master(), SERVER, other.getEncodedName()))
                .isEmpty();

        when(master.getAssignmentManager()).thenReturn(null);
        assertThat(OpenSeqNums.openSeqNum(balancer.master(), SERVER, REGION.getEncodedName()))
                .isEmpty();
    }

    @Test
    void recordsDecisionsAndRejectionsForTheShellWhereTheSiteKeepsThem() {
        balancer.initialize();

        balancer.recordDecision(() -> new BalancerDecision.Builder()
                .setInitialFunctionCosts("reads 2.0")
                .setFinalFunctionCosts("reads 1.0")
                .setRegionPlans(List.of("our plan"))
                .build());
        balancer.recordRejection(() ->
                new BalancerRejection.Builder().setReason("heat is even enough").build());

        NamedQueueRecorder recorder = NamedQueueRecorder.getInstance(site);
        awaitText("our plan", () -> recorder.getNamedQueueRecords(decisions()).getBalancerDecisions());
        awaitText("heat is even enough", () -> recorder.getNamedQueueRecords(rejections())
                .getBalancerRejections());
    }

    private static NamedQueueGetRequest decisions() {
        NamedQueueGetRequest request = new NamedQueueGetRequest();
        request.setNamedQueueEvent(BalancerDecisionDetails.BALANCER_DECISION_EVENT);
        request.setBalancerDecisionsRequest(MasterProtos.BalancerDecisionsRequest.getDefaultInstance());
        return request;
    }

    private static NamedQueueGetRequest rejections() {
        NamedQueueGetRequest request = new NamedQueueGetRequest();
        request.setNamedQueueEvent(BalancerRejectionDetails.BALANCER_REJECTION_EVENT);
        request.setBalancerRejectionsRequest(MasterProtos.BalancerRejectionsRequest.getDefaultInstance());
        return request;
    }

    /** HBase's recorder takes records in on a thread of its own. */
    private static void awaitText(String text, Supplier<List<?>> records) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!records.get().toString().contains(text) && System.nanoTime() < deadlineNanos) {
            Thread.onSpinWait();
        }
        assertThat(records.get().toString()).contains(text);
    }

    @Test
    void doesNotEvenMakeARecordThatTheSiteDoesNotKeep() {
        site.setBoolean(BaseLoadBalancer.BALANCER_DECISION_BUFFER_ENABLED, false);
        site.setBoolean(BaseLoadBalancer.BALANCER_REJECTION_BUFFER_ENABLED, false);
        HBaseVersionSupport.attach(balancer, master);
        balancer.initialize();

        balancer.recordDecision(() -> {
            throw new AssertionError("made");
        });
        balancer.recordRejection(() -> {
            throw new AssertionError("made");
        });
    }

    @Test
    void showsCostsBesideTheStockOnes() {
        MetricsStochasticBalancer stock = mock(MetricsStochasticBalancer.class);
        balancer.metricsBalancer = stock;

        balancer.updateCost("hbase:ensemble", "HeatReads", "Reads by Hearth's heat", 0.25);

        verify(stock).updateStochasticCost("hbase:ensemble", "HeatReads", "Reads by Hearth's heat", 0.25);
    }

    @Test
    void putsHearthsFinderInPlaceUnlessLocalityIsOff() {
        HearthRegionLocationFinder finder =
                new HearthRegionLocationFinder(() -> 0, new RecordingLocalityErrorHandler(), (region, host) -> {});
        balancer.initialize();
        assertThat(balancer.regionFinder).isNotSameAs(finder);

        balancer.useFinder(finder, site);
        assertThat(balancer.regionFinder).isSameAs(finder);
        assertThat(finder.getConf()).isSameAs(site);

        site.setBoolean("hbase.master.balancer.uselocality", false);
        balancer.initialize();
        balancer.useFinder(finder, site);
        assertThat(balancer.regionFinder).isNull();
        finder.close();
    }
}
