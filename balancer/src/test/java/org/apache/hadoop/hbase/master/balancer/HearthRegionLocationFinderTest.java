// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.config.BalancerConfig.LocalityConfig;
import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.balancer.hbase.SimulatedMeter;
import io.hearth.balancer.state.LocalBytes;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HearthRegionLocationFinderTest {

    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
    private static final RegionInfo OTHER =
            RegionInfoBuilder.newBuilder(TableName.valueOf("other")).build();

    private final AtomicInteger asked = new AtomicInteger();
    private final RecordingLocalityErrorHandler errorHandler = new RecordingLocalityErrorHandler();
    private volatile IOException failure;
    private final AtomicLong nowMs = new AtomicLong();

    private List<RegionInfo> assigned = List.of();
    private final HearthRegionLocationFinder finder =
            new HearthRegionLocationFinder(nowMs::get, errorHandler, (region, host) -> {});

    @BeforeEach
    void giveItAMaster() throws IOException {
        TableDescriptors descriptors = mock(TableDescriptors.class);
        when(descriptors.get(any())).thenAnswer(call -> {
            asked.incrementAndGet();
            if (failure != null) {
                throw failure;
            }
            return null; // a table that is gone has no blocks anywhere
        });
        MasterServices services = mock(MasterServices.class);
        when(services.getTableDescriptors()).thenReturn(descriptors);
        when(services.getConfiguration()).thenReturn(HBaseConfiguration.create());
        HBaseVersionSupport.attach(finder, services);
        finder.setAssignedRegions(() -> assigned);
        finder.waitAtStart(30_000);
    }

    @AfterEach
    void close() {
        finder.close();
    }

    @Test
    void anAnswerIsKept() {
        finder.getBlockDistribution(REGION);
        finder.getBlockDistribution(REGION);

        assertThat(asked).hasValue(1);
        assertThat(errorHandler.all).isEmpty();
    }

    @Test
    void aNameNodeThatIsAwayIsNotTakenForAnEmptyRegionAndIsLeftAloneForAMinute() {
        failure = new ConnectException("the NameNode is away");
        assertThat(finder.getBlockDistribution(REGION).getUniqueBlocksTotalWeight())
                .isZero();
        assertThat(errorHandler.all).containsExactly("away: the NameNode is away");

        nowMs.set(BlockLocations.RETRY_AFTER_MS - 1);
        finder.getBlockDistribution(REGION);
        assertThat(asked).as("asked again within the minute").hasValue(1);

        failure = null;
        nowMs.set(BlockLocations.RETRY_AFTER_MS);
        finder.getBlockDistribution(REGION);
        assertThat(asked).hasValue(2);
    }

    @Test
    void aRegionWhoseBlocksMovedIsAskedForAgainInTheBackground() {
        finder.getBlockDistribution(REGION);
        finder.regionsChanged(List.of(HBaseNames.region(REGION)));

        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (asked.get() < 2 && System.nanoTime() < deadlineNanos) {
            Thread.onSpinWait();
        }
        assertThat(asked).hasValue(2);
    }

    /** Threads that were done before the next was started used to be started for ever. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void threadsThatAreDoneAtOnceAreNotStartedForEver() {
        HearthRegionLocationFinder direct = new HearthRegionLocationFinder(
                nowMs::get,
                errorHandler,
                (region, host) -> {},
                Optional.of(region -> new HDFSBlocksDistribution()),
                MoreExecutors.newDirectExecutorService());
        direct.refreshAndWait(List.of(REGION, OTHER));

        direct.regionsChanged(List.of(HBaseNames.region(REGION), HBaseNames.region(OTHER)));

        assertThat(direct.localBytes(REGION).totalBytes()).hasValue(0);
    }

    @Test
    void whatIsCachedIsToldAsLocalBytesAndTheNameNodeIsNotAsked() {
        assertThat(finder.localBytes(REGION)).isSameAs(LocalBytes.UNKNOWN);
        assertThat(finder.localBytes(REGION)).isSameAs(LocalBytes.UNKNOWN);
        assertThat(asked).hasValue(0);

        finder.getBlockDistribution(REGION);
        assertThat(finder.localBytes(REGION).totalBytes()).hasValue(0);
        assertThat(finder.localBytes(REGION))
                .as("snapshots share what is known of a region")
                .isSameAs(finder.localBytes(REGION));
    }

    @Test
    void anAnswerIsReadWhenItComesAndNotInTheRunThatWantsIt() {
        HDFSBlocksDistribution answer = new HDFSBlocksDistribution();
        HearthRegionLocationFinder direct = new HearthRegionLocationFinder(
                nowMs::get,
                errorHandler,
                (region, host) -> {},
                Optional.of(region -> answer),
                MoreExecutors.newDirectExecutorService());
        assertThat(direct.getBlockDistribution(REGION).getHostAndWeights()).isEmpty();
        answer.addHostsAndBlockWeight(new String[] {"later"}, 100);

        assertThat(direct.localBytes(REGION).hostCount()).isZero();
    }

    /**
     * The stock balancer looks where blocks are when it assigns regions, without the balancer's lock. Broken (it counts as time under the
     * lock): 3,000.
     */
    @Test
    void aNameNodeThatAnswersLateHoldsTheLockOnlyWhereItIsHeld() throws InterruptedException {
        SimulatedMeter simulated = new SimulatedMeter();
        HearthRegionLocationFinder late = new HearthRegionLocationFinder(
                nowMs::get,
                errorHandler,
                (region, host) -> {},
                Optional.of(region -> {
                    simulated.passSeconds(3);
                    return new HDFSBlocksDistribution();
                }),
                MoreExecutors.newDirectExecutorService());
        late.measuredBy(simulated.meter());

        Thread assigns = new Thread(() -> late.getBlockDistribution(REGION));
        assigns.start();
        assigns.join();
        assertThat(late.localBytes(REGION).isKnown()).isTrue();
        assertThat(simulated.longestLockMs()).isZero();

        simulated.meter().lockedCallBegins();
        late.getBlockDistribution(OTHER);
        assertThat(simulated.longestLockMs()).isEqualTo(3_000);
    }

    @Test
    void aServedRegionIsAskedAboutOnceBeforeAnybodyWantsToKnow() {
        assigned = List.of(REGION, OTHER);
        report(REGION);
        awaitAsked(1);
        report(REGION);
        report(REGION);
        assertThat(finder.localBytes(REGION).isKnown()).isTrue();
        assertThat(finder.localBytes(OTHER).isKnown()).as("nobody reports it").isFalse();

        // What was offered before it is through when it is.
        report(REGION, OTHER);
        awaitAsked(2);
    }

    @Test
    void aRegionOfADeadServerIsRememberedForAnHourlyLook() {
        assigned = List.of(REGION, OTHER);
        report(REGION, OTHER);
        awaitAsked(2);

        nowMs.set(TimeUnit.HOURS.toMillis(1));
        report(OTHER);
        assertThat(finder.localBytes(REGION).isKnown()).isTrue();
        nowMs.set(TimeUnit.HOURS.toMillis(2));
        report(OTHER);
        assertThat(finder.localBytes(REGION).isKnown()).isFalse();
        assertThat(finder.localBytes(OTHER).isKnown()).isTrue();
    }

    @Test
    void aMasterThatStartsWaitsForTheFirstRegionsOnlyAndTheSearchForNoneWhileManyAreMissing() {
        int all = HearthRegionLocationFinder.ASKED_AT_START + 3 * HearthRegionLocationFinder.WAITED_FOR;
        List<RegionInfo> many = regions(all);
        finder.configure(new LocalityConfig(0.1, 1_000));
        finder.refreshAndWait(many);
        int afterStart = asked.get();
        finder.getBlockDistribution(many.get(all - 1));

        // At one region in 10 seconds at most one of the rest is asked about by each thread.
        assertThat(afterStart)
                .isBetween(HearthRegionLocationFinder.ASKED_AT_START, HearthRegionLocationFinder.ASKED_AT_START + 1);
        assertThat(asked.get()).isLessThanOrEqualTo(HearthRegionLocationFinder.ASKED_AT_START + 1);
    }

    /** HMaster reports first and then waits, with the balancer's lock held: 1,000 regions at 1 in 10 s would take hours. */
    @Test
    void aMasterThatStartsDoesNotWaitForWhatTheReportsHavePutIntoTheQueue() {
        List<RegionInfo> many = regions(1_000);
        assigned = many;
        finder.configure(new LocalityConfig(0.1, 1_000));
        report(many.toArray(RegionInfo[]::new));

        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> finder.refreshAndWait(many));

        // Those that the threads at work on the queue have begun with are not waited for.
        assertThat(many.stream().filter(this::isKnown).count()).isGreaterThanOrEqualTo(995);
    }

    @Test
    void whatWaitsWhileTheNameNodeIsAwayIsAskedAboutWhenItIsBack() {
        failure = new ConnectException("the NameNode is away");
        finder.getBlockDistribution(OTHER);
        List<RegionInfo> many = regions(500);
        assigned = many;
        report(many.toArray(RegionInfo[]::new));
        report(many.toArray(RegionInfo[]::new));
        assertThat(asked).hasValue(1);

        failure = null;
        nowMs.set(BlockLocations.RETRY_AFTER_MS);
        report(many.toArray(RegionInfo[]::new));
        awaitKnown(many);
    }

    private static List<RegionInfo> regions(int count) {
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            regions.add(RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                    .setStartKey(Bytes.toBytes(number))
                    .build());
        }
        return regions;
    }

    private void awaitKnown(List<RegionInfo> regions) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!regions.stream().allMatch(this::isKnown) && System.nanoTime() < deadlineNanos) {
            nowMs.incrementAndGet();
        }
        assertThat(regions).allMatch(this::isKnown);
    }

    private void report(RegionInfo... regions) {
        Map<byte[], RegionMetrics> metrics = new TreeMap<>(Bytes.BYTES_COMPARATOR);
        for (RegionInfo region : regions) {
            metrics.put(
                    region.getRegionName(),
                    RegionMetricsBuilder.newBuilder(region.getRegionName()).build());
        }
        ServerName server = ServerName.valueOf("a", 16020, 1);
        ServerMetrics ofServer = ServerMetricsBuilder.newBuilder(server)
                .setRegionMetrics(List.copyOf(metrics.values()))
                .build();
        finder.setClusterMetrics(ClusterMetricsBuilder.newBuilder()
                .setLiveServerMetrics(Map.of(server, ofServer))
                .build());
    }

    private void awaitAsked(int times) {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while ((asked.get() < times || !assigned.stream().limit(times).allMatch(this::isKnown))
                && System.nanoTime() < deadlineNanos) {
            Thread.onSpinWait();
        }
        assertThat(asked).hasValue(times);
    }

    private boolean isKnown(RegionInfo region) {
        return finder.localBytes(region).isKnown();
    }

    @Test
    void whatItNeverHeardOfIsPassedOver() {
        finder.regionsChanged(List.of(HBaseNames.region(REGION)));

        assertThat(asked).hasValue(0);
    }

    /** Where HBase lacks what it is asked with; an assignment of the stock balancer's asks, and a master that starts. */
    @Test
    void whatIsMissingEndsNeitherAnAssignmentNorTheStart() {
        RegionInfo withoutName = mock(RegionInfo.class);
        when(withoutName.getEncodedName()).thenThrow(new NoSuchMethodError("getEncodedName"));

        assertThat(finder.getBlockDistribution(withoutName).getUniqueBlocksTotalWeight())
                .isZero();
        finder.refreshAndWait(List.of(withoutName));

        assertThat(errorHandler.all).containsExactly("reports: getEncodedName", "reports: getEncodedName");
    }

    @Test
    void aReportThatCannotBeReadIsCountedAndDoesNotReachTheMaster() {
        ClusterMetrics unreadable = mock(ClusterMetrics.class);
        when(unreadable.getLiveServerMetrics()).thenThrow(new IllegalStateException("unreadable"));

        finder.setClusterMetrics(unreadable);

        assertThat(errorHandler.all).containsExactly("reports: unreadable");
    }
}
