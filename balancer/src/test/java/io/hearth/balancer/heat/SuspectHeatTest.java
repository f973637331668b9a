// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.SuspectServer.Evidence;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is learnt of regions on a server that is suspect: five on one server and ten on another, each with 100 reads a second. */
class SuspectHeatTest {

    private static final TableId TABLE = new TableId("t");
    private static final ServerId ONE = new ServerId("one", 1, 1);
    private static final ServerId OTHER = new ServerId("other", 1, 1);
    private static final ServerId THIRD = new ServerId("third", 1, 1);
    private static final int REGIONS = 15;

    private HeatModel heat = new HeatModel(HeatConfig.of(60_000, 10_000));
    private final ServerId[] servers = new ServerId[REGIONS];
    private final long[] reads = new long[REGIONS];
    private final double[] readsPerSecond = new double[REGIONS];
    private long nowMs;

    @BeforeEach
    void usualLoad() {
        Arrays.fill(readsPerSecond, 100);
        for (int region = 0; region < REGIONS; region++) {
            servers[region] = region < 5 ? ONE : OTHER;
        }
        runFor(3);
    }

    private void runFor(int minutes) {
        for (int minute = 0; minute < minutes; minute++) {
            nowMs += 60_000;
            List<ServerReport> reports = new ArrayList<>();
            for (ServerId server : List.of(ONE, OTHER, THIRD)) {
                reports.add(new ServerReport(server, nowMs, regionsOf(server)));
            }
            heat.update(reports, nowMs);
        }
    }

    private List<RegionReport> regionsOf(ServerId server) {
        List<RegionReport> regions = new ArrayList<>();
        for (int region = 0; region < REGIONS; region++) {
            if (servers[region].equals(server)) {
                reads[region] += Math.round(60 * readsPerSecond[region]);
                regions.add(new RegionReport(region(region), TABLE, reads[region], 0, 1));
            }
        }
        return regions;
    }

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName("%032x".formatted(number));
    }

    private double heatOf(int region) {
        return ((Known) heat.heat(region(region))).load().get(LoadDimension.READS);
    }

    private Known known(int region) {
        return (Known) heat.heat(region(region));
    }

    private void serveOnly(double eachPerSecond, int from, int to) {
        Arrays.fill(readsPerSecond, from, to, eachPerSecond);
    }

    private void move(ServerId to, int from, int until) {
        for (int region = from; region < until; region++) {
            servers[region] = to;
            reads[region] = 0;
        }
    }

    @Test
    void regionsKeepTheirHeatWhereTheirServerServesATenth() {
        serveOnly(10, 0, 5);
        runFor(2);

        assertThat(heat.suspects()).extracting(SuspectServer::server).containsExactly(ONE);
        assertThat(heat.suspects().get(0).sinceMs()).isEqualTo(nowMs - 60_000);
        assertThat(heat.serversToProbe()).containsExactly(ONE);
        assertThat(heatOf(0)).isCloseTo(100, within(1e-6));
        assertThat(known(0).planned().get(LoadDimension.READS)).isCloseTo(100, within(1e-6));
        assertThat(known(0).last().get(LoadDimension.READS)).isEqualTo(10);
        assertThat(heat.detectShifts(nowMs).get(LoadDimension.READS)).isFinite();
        assertThat(heat.shiftedAtMs(region(0))).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void theyAreLearntFromAgainWhereNobodyWaitsThere() {
        serveOnly(10, 0, 5);
        runFor(1);
        heat.rpcStatsReceived(ONE, new ServerRpcStats(0, 1));
        assertThat(heat.suspects()).isEmpty();
        runFor(1);

        assertThat(heatOf(0)).as("two minutes of 100, one of 10").isCloseTo(100 - 90 * 4 / 7.0, within(1e-6));
    }

    /** An hour at 2 % a minute: 30 of 100 are left, and at no minute a fall. The mean of hours has a half-life of 24 minutes here. */
    @Test
    void aServerThatDeclinesOverHoursIsSuspectOnceCallsWaitThere() {
        runFor(240);
        declines(40);
        assertThat(heat.suspects()).isEmpty();
        assertThat(heat.serversToProbe()).as("45 of 100 are left").containsExactly(ONE);
        declines(20);
        assertThat(heat.suspects()).as("nobody has said that calls wait").isEmpty();
        heat.rpcStatsReceived(ONE, new ServerRpcStats(0, 300));
        assertThat(heat.suspects()).as("slow, and nobody waits").isEmpty();
        assertThat(heatOf(0)).isLessThan(35);

        heat.rpcStatsReceived(ONE, new ServerRpcStats(12, 300));
        assertThat(heat.suspects()).as("for a moment").isEmpty();
        heat.rpcStatsReceived(ONE, new ServerRpcStats(12, 300));
        runFor(1);
        assertThat(heat.suspects())
                .extracting(SuspectServer::server, SuspectServer::evidence)
                .containsExactly(tuple(ONE, Evidence.ALL_REGIONS_DECLINED));
        assertThat(heat.suspects().get(0).why()).contains("over hours").contains("12 calls wait there");
        double heatThen = heatOf(0);
        assertThat(heatThen).as("what it served over hours").isGreaterThan(50);
        runFor(60);
        assertThat(heatOf(0)).isEqualTo(heatThen);

        heat.rpcStatsReceived(ONE, new ServerRpcStats(0, 300));
        assertThat(heat.suspects())
                .as("nobody waits any more, and it is no drop either")
                .isEmpty();
        heat.rpcStatsReceived(ONE, new ServerRpcStats(12, 300));
        heat.rpcStatsReceived(ONE, new ServerRpcStats(12, 300));
        assertThat(heat.suspects()).hasSize(1);

        serveOnly(100, 0, 5);
        runFor(15);
        assertThat(heat.suspects()).as("it serves again").isEmpty();
        assertThat(heat.serversToProbe()).isEmpty();
    }

    /** Broken (the next master begins with the rates of minutes): what fell before it is forgotten, and nobody is asked. */
    @Test
    void aDeclineIsFollowedThroughAFailover() {
        runFor(240);
        declines(25);
        HeatModel next = new HeatModel(HeatConfig.of(60_000, 10_000));
        assertThat(next.restore(heat.snapshot(nowMs), nowMs)).isTrue();
        heat = next;
        declines(22);

        assertThat(heat.serversToProbe()).containsExactly(ONE);
    }

    /** Calls wait there for good, and what it serves is all that is asked of its regions any more. */
    @Test
    void afterSixHoursADeclineIsTakenForWhatIsAskedAndStaysSo() {
        runFor(240);
        declines(60);
        for (int minute = 0; minute < 14 * 60; minute++) {
            heat.rpcStatsReceived(ONE, new ServerRpcStats(12, 300));
            runFor(1);
            if (minute == 5 * 60) {
                assertThat(heat.suspects()).hasSize(1);
            }
            if (minute > 6 * 60) {
                assertThat(heat.suspects()).as("minute %d", minute).isEmpty();
            }
        }
        assertThat(heatOf(0)).isCloseTo(readsPerSecond[0], within(1.0));
    }

    /** A night: all servers serve less, and calls may wait for other reasons. */
    @Test
    void wherePeersDeclineTooNobodyIsAsked() {
        runFor(240);
        for (int minute = 0; minute < 120; minute++) {
            for (int region = 0; region < REGIONS; region++) {
                readsPerSecond[region] *= 0.98;
            }
            runFor(1);
            assertThat(heat.serversToProbe()).isEmpty();
        }
    }

    private void declines(int minutes) {
        for (int minute = 0; minute < minutes; minute++) {
            serveOnly(readsPerSecond[0] * 0.98, 0, 5);
            runFor(1);
        }
    }

    @Test
    void aSuspectThatIsGoneIsNone() {
        serveOnly(10, 0, 5);
        runFor(1);
        heat.update(List.of(new ServerReport(OTHER, nowMs + 1, regionsOf(OTHER))), nowMs + 1);

        assertThat(heat.suspects()).isEmpty();
    }

    /** At first it serves 66 of 100, which is no fall and is learnt; the heat that the regions came with is that of before. */
    @Test
    void whatLandedAndLostItsHeatGetsBackWhatItCameWith() {
        move(THIRD, 5, 9);
        runFor(1);
        serveOnly(66, 5, 9);
        runFor(1);
        assertThat(heatOf(5)).isBetween(70.0, 90.0);
        assertThat(heat.suspects()).isEmpty();
        serveOnly(10, 5, 9);
        runFor(1);

        assertThat(heat.suspects())
                .extracting(SuspectServer::evidence)
                .containsExactly(Evidence.ARRIVED_REGIONS_DROPPED);
        assertThat(heat.suspects().get(0).servedShare()).isEqualTo(0.1);
        assertThat(heatOf(5)).isCloseTo(100, within(1e-4));
    }

    @Test
    void whatHasBeenSeenAtItsHeatThereHasNotJustLanded() {
        move(THIRD, 5, 9);
        runFor(2);
        serveOnly(10, 5, 9);
        runFor(1);

        assertThat(heat.suspects()).as("four settled regions may be chance").isEmpty();
    }

    /** Half an hour after it landed a region tells nothing of its server; one of a held server is asked since that was held. */
    @Test
    void whatLandedLongAgoHasSettled() {
        move(THIRD, 5, 9);
        serveOnly(66, 5, 9);
        runFor(32);
        serveOnly(10, 5, 9);
        runFor(1);

        assertThat(heat.suspects()).isEmpty();
    }

    @Test
    void whatLandedTellsOfItsServerForAsLongAsThatIsHeld() {
        move(THIRD, 5, 9);
        runFor(1);
        serveOnly(10, 5, 9);
        runFor(60);

        assertThat(heat.suspects())
                .extracting(SuspectServer::evidence)
                .containsExactly(Evidence.ARRIVED_REGIONS_DROPPED);
        assertThat(heatOf(5)).isCloseTo(100, within(1e-4));
    }

    /** Four regions landed, and that is all it has. Broken (one seen at its heat has not landed any more): suspect for six hours. */
    @Test
    void aServerOfFewRegionsIsBelievedTwoMinutesAfterWhatLandedIsAtItsHeat() {
        move(THIRD, 5, 9);
        runFor(1);
        serveOnly(10, 5, 9);
        runFor(2);
        assertThat(heat.suspects()).hasSize(1);
        serveOnly(100, 5, 9);
        runFor(1);
        assertThat(heat.suspects()).as("a minute later").hasSize(1);
        runFor(1);
        assertThat(heat.suspects()).isEmpty();

        serveOnly(50, 5, 9);
        runFor(1);
        assertThat(heatOf(5)).as("learnt from again").isCloseTo(100 - 50 * 8 / 15.0, within(1.0));
    }

    /** Here heat is known after 1,000 seconds. */
    @Test
    void nothingIsExpectedOfARegionWhoseHeatIsUnknown() {
        HeatModel young = new HeatModel(HeatConfig.of(60_000, 1_000_000));
        for (int minute = 1; minute <= 10; minute++) {
            nowMs += 60_000;
            if (minute == 6) {
                serveOnly(1, 0, 5);
            }
            young.update(
                    List.of(
                            new ServerReport(ONE, nowMs, regionsOf(ONE)),
                            new ServerReport(OTHER, nowMs, regionsOf(OTHER))),
                    nowMs);
            assertThat(young.suspects()).isEmpty();
        }
    }
}
