// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static io.hearth.cli.HealFixtures.move;
import static io.hearth.cli.HealFixtures.plan;
import static io.hearth.cli.HealFixtures.region;
import static io.hearth.cli.HealFixtures.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.ProgressPrinter.RollingRate;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.move.TrackedMove.MoveState;
import io.hearth.healer.spi.Assignments.AssignmentSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HealProgressTest {

    private final HealProgress progress = new HealProgress(1.0);

    @Test
    void reportsCountUntilTheNameNodeHasSpoken() {
        ServedRegion notLocal = region("r1", "a1", 50, 100);
        progress.observed(snapshot(notLocal, region("r2", "a2", 100, 100)));
        assertThat(progress.stats().locality()).isEqualTo(0.75);
        assertThat(progress.stats().unlistedRegions()).isEqualTo(1);

        BlockMove one = move(notLocal, 1, 20);
        BlockMove two = move(notLocal, 2, 20);
        progress.planned(
                notLocal, plan(60, 100, Map.of(SkipReason.UNDER_CONSTRUCTION, 1L), one, two), List.of(one, two));
        HealStats planned = progress.stats();
        assertThat(planned.localBytes()).isEqualTo(160);
        assertThat(planned.openMoves()).isEqualTo(2);
        assertThat(planned.unlistedRegions()).isZero();
        assertThat(planned.skippedBlocks()).containsExactly(Map.entry(SkipReason.UNDER_CONSTRUCTION, 1L));

        progress.ended(one, MoveState.VERIFIED);
        progress.copiedAcrossRacks(one, 20);
        progress.copiedAcrossRacks(two, 3);
        progress.ended(two, MoveState.REVERTED);
        HealStats ended = progress.stats();
        assertThat(ended.localBytes()).isEqualTo(180);
        assertThat(ended.healedBytes()).isEqualTo(20);
        assertThat(ended.failedMoves()).isEqualTo(1);
        assertThat(ended.bytesAcrossRacks()).hasValue(23);
        assertThat(ended.openMoves()).isZero();
        assertThat(ended.remoteRegions()).isEqualTo(1);
        assertThat(ended.firstLocality()).isEqualTo(0.75);
        assertThat(ended.bytesTo(1.0)).isEqualTo(20);
        assertThat(ended.bytesTo(0.9)).isZero();
    }

    @Test
    void whatIsLocalByTheNameNodeAndNotReportedIsDoneAndCountedApart() {
        ServedRegion archived = region("r1", "a1", 0, 100);
        ServedRegion remote = region("r2", "a2", 50, 100);
        ServedRegion elsewhere = region("r3", "a3", 0, 100);
        progress.observed(snapshot(archived, remote, elsewhere));
        progress.localNotReported(
                Map.of(archived.region(), archived.server().toString(), elsewhere.region(), "another,16020,1"));

        HealStats now = progress.stats();
        assertThat(now.regionsNotReported()).isEqualTo(1);
        assertThat(now.localBytes()).isEqualTo(150);
        assertThat(now.bytesTo(1.0)).isEqualTo(150);
        assertThat(now.remoteRegions()).isEqualTo(2);
        assertThat(ProgressPrinter.line(now, new RollingRate(), 1.0))
                .endsWith(
                        "regions 2 of 3, local by the NameNode, not reported yet: 1 region (reopening it corrects the report)");
        assertThat(MasterHealCompletionCheck.notReported(progress.localNotReported()))
                .isEqualTo(", local by the NameNode, not reported yet: 1 region (reopening it corrects the report);"
                        + " in hbase shell: unassign 'r1'; assign 'r1'");

        progress.observed(snapshot(region("r1", "a1", 100, 100), remote, elsewhere));
        assertThat(progress.stats().regionsNotReported()).as("it was reopened").isZero();
        assertThat(MasterHealCompletionCheck.notReported(progress.localNotReported()))
                .isEmpty();
    }

    @Test
    void aRegionThatMovesOnIsNotWhereItWasListed() {
        ServedRegion there = region("r1", "a1", 0, 100);
        progress.observed(snapshot(there));
        progress.planned(there, plan(100, 100, Map.of()), List.of());
        assertThat(progress.stats().locality()).isEqualTo(1.0);

        progress.observed(snapshot(region("r1", "a2", 10, 100)));
        assertThat(progress.stats().locality()).isEqualTo(0.1);
        assertThat(progress.stats().unlistedRegions()).isEqualTo(1);
    }

    @Test
    void whatIsSwitchedOffOrOutOfScopeDoesNotCount() {
        ServedRegion off = new ServedRegion(
                new EncodedRegionName("off"),
                region("x", "a1", 0, 1).table(),
                region("x", "a1", 0, 1).rank(),
                TableHealingMode.OFF,
                region("x", "a1", 0, 1).server(),
                region("x", "a1", 0, 1).reported());
        progress.observed(snapshot(off, region("r1", "a1", 100, 100)));

        assertThat(progress.stats().regions()).isEqualTo(1);
        assertThat(progress.stats().locality()).isEqualTo(1.0);
    }

    @Test
    void whatIsInTransitGetsASecondLook() {
        progress.observed(
                AssignmentSnapshot.of(List.of(region("r1", "a1", 100, 100)), List.of(new EncodedRegionName("r2"))));
        assertThat(progress.hasObserved()).isTrue();
        assertThat(progress.hasSeenAll()).isFalse();

        progress.observed(
                AssignmentSnapshot.of(List.of(region("r1", "a1", 100, 100)), List.of(new EncodedRegionName("r2"))));
        assertThat(progress.hasSeenAll()).isTrue();
    }

    @Test
    void everyRegionIsAskedAboutOnceThoughReportedLocal() {
        HealProgress all = new HealProgress(1.0, true);
        ServedRegion local = region("r1", "a1", 100, 100);
        ServedRegion other = region("r2", "a2", 100, 100);
        all.observed(snapshot(local));
        assertThat(all.stats().unlistedRegions()).isEqualTo(1);
        assertThat(all.takeUnlisted()).containsExactly(Map.entry(local.region(), "a1"));

        all.observed(snapshot(local, other));
        assertThat(all.takeUnlisted()).as("which was in transit").containsExactly(Map.entry(other.region(), "a2"));
        all.planned(local, plan(100, 100, Map.of()), List.of());
        all.planned(other, plan(30, 100, Map.of()), List.of());
        assertThat(all.takeUnlisted()).isEmpty();
        assertThat(all.stats().unlistedRegions()).isZero();
        assertThat(all.stats().locality()).isEqualTo(0.65);
    }

    @Test
    void aNameNodeThatAnswersAgainIsForgiven() {
        progress.nameNodeFailed("no route");
        assertThat(progress.nameNodeFailure()).contains("no route");
        progress.planned(region("r1", "a1", 0, 1), plan(1, 1, Map.of()), List.of());
        assertThat(progress.nameNodeFailure()).isEmpty();
    }
}
