// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import static io.hearth.ui.model.PageFixtures.page;
import static io.hearth.ui.model.PageFixtures.region;
import static io.hearth.ui.model.PageFixtures.server;
import static io.hearth.ui.model.PageFixtures.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.config.GoalSettings;
import io.hearth.balancer.heat.RegionHeat;
import io.hearth.balancer.state.RegionState;
import io.hearth.balancer.state.RegionState.StoreFileBytes;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.ui.model.Page.BalanceSummary;
import io.hearth.ui.model.Page.BalanceSummary.BalanceState;
import io.hearth.ui.model.Page.RegionTreemap;
import io.hearth.ui.model.Page.RegionTreemap.Cell;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PageBuilderTest {

    @Test
    void sharesAreMultiplesOfTheFairShareByCapacity() {
        Page page = page(
                server("b", "r2", 1, region("1", "t", 300, 0)),
                server("a", "r1", 3, region("2", "t", 300, 0), region("3", "t", 200, 0)));

        assertThat(page.servers()).extracting(row -> row.server().host()).containsExactly("a", "b");
        assertThat(page.servers().get(0).share(LoadDimension.READS)).isCloseTo(500 / 600.0, within(1e-9));
        assertThat(page.servers().get(1).share(LoadDimension.READS)).isCloseTo(300 / 200.0, within(1e-9));
        BalanceSummary reads = page.balance().get(0);
        assertThat(reads.maxOverMean()).isCloseTo(1.5, within(1e-9));
        assertThat(reads.meanPerServer()).isEqualTo(400);
        assertThat(reads.hottest()).map(server -> server.host()).hasValue("b");
        assertThat(reads.state()).isEqualTo(BalanceState.UNBALANCED);
    }

    @Test
    void readsAreShownAsTheyWereMeasuredAndSharesAsPlansCount() {
        LoadVector served = LoadVector.ofReads(100);
        RegionState remote = region(
                "1",
                "t",
                new RegionHeat.Known(served, served, served, 3, LoadVector.ofReads(300)),
                new StoreFileBytes(0, 0, 1 << 30));
        Page page = page(server("a", "", 1, remote), server("b", "", 1, region("2", "t", 100, 0)));

        assertThat(page.servers().get(0).load(LoadDimension.READS)).isEqualTo(100);
        assertThat(page.servers().get(0).totals().recentRequestsPerSecond()).isEqualTo(100);
        assertThat(page.servers().get(0).share(LoadDimension.READS)).isCloseTo(1.5, within(1e-9));
        assertThat(page.hottest().get(0).load(LoadDimension.READS)).isEqualTo(100);
        assertThat(page.hottest().get(0).share()).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void newSamplesOfTheHottestRegionsGiveThePageThatABuildWithThemGives() {
        Page page = page(server("a", "", 1, region("1", "t", 800, 0)), server("b", "", 1, region("2", "t", 100, 20)));
        Function<EncodedRegionName, List<OptionalDouble>> history =
                region -> List.of(OptionalDouble.empty(), OptionalDouble.of(region.hashCode()));

        assertThat(page.withHistory(history)).isEqualTo(PageBuilder.build(page.input(), history));
    }

    @Test
    void oneRegionThatIsHotterThanAServersShareIsTheLowerBound() {
        Page page = page(
                server("a", "", 1, region("1", "t", 800, 0)),
                server("b", "", 1, region("2", "t", 100, 0)),
                server("c", "", 1, region("3", "t", 100, 0)));

        BalanceSummary reads = page.balance().get(0);
        assertThat(reads.lowerBound()).isCloseTo(2.4, within(1e-9));
        assertThat(reads.state()).isEqualTo(BalanceState.AT_LOWER_BOUND);
        assertThat(page.hottest().get(0).share()).isCloseTo(2.4, within(1e-9));
    }

    @Test
    void hotRegionsThatHaveToShareAServerAreTheLowerBound() {
        Page page = page(
                server("a", "", 1, region("1", "t", 100, 0), region("2", "t", 100, 0)),
                server("b", "", 1, region("3", "t", 100, 0), region("4", "t", 100, 0)),
                server("c", "", 1, region("5", "t", 100, 0), region("6", "t", 1, 0)),
                server("d", "", 1, region("7", "t", 100, 0), region("8", "t", 1, 0)));

        BalanceSummary reads = page.balance().get(0);
        assertThat(reads.lowerBound()).isCloseTo(200 * 4 / 602.0, within(1e-9));
        assertThat(reads.lowerBoundRegions()).isEqualTo(2);
        assertThat(reads.maxOverMean()).isCloseTo(reads.lowerBound(), within(1e-9));
        assertThat(reads.state()).isEqualTo(BalanceState.AT_LOWER_BOUND);
    }

    @Test
    void belowTheTriggerSuchABoundIsNoExcuse() {
        Page page = page(
                server("a", "", 1, region("1", "t", 53, 0), region("2", "t", 53, 0)),
                server("b", "", 1, region("3", "t", 53, 0), region("4", "t", 35, 0)));

        BalanceSummary reads = page.balance().get(0);
        assertThat(reads.lowerBound()).isCloseTo(106 / 97.0, within(1e-9));
        assertThat(reads.state()).isEqualTo(BalanceState.BALANCED);
        assertThat(new BalanceSummary(
                                reads.dimension(), 194, 194, 97, 1.15, reads.hottest(), 106 / 97.0, 2, 1.1, true, true)
                        .state())
                .isEqualTo(BalanceState.UNBALANCED);
    }

    @Test
    void whatCountsForNothingInPlansCountsForNothingInShares() {
        Page page = page(
                server("a", "", 1, region("1", "hbase:meta", 900, 0), region("2", "t", 100, 0)),
                server("b", "", 1, region("3", "t", 100, 0)));

        assertThat(page.balance().get(0).maxOverMean()).isEqualTo(1);
        assertThat(page.servers().get(0).load(LoadDimension.READS)).isEqualTo(1_000);
        assertThat(page.hottest())
                .extracting(row -> row.region().region().encodedName())
                .containsExactly("2", "3");
    }

    @Test
    void beforeAnythingIsKnownNothingIsSaidOfHeatAndSizesAreThere() {
        Page page =
                page(server("a", "", 1, unknown("1", "t", 100, 40)), server("b", "", 1, unknown("2", "t", 300, 300)));

        assertThat(page.balance())
                .filteredOn(one -> GoalSettings.cost(one.dimension()).defaultValue() > 0)
                .hasSize(3)
                .extracting(BalanceSummary::state)
                .containsOnly(BalanceState.BELOW_MIN_LOAD);
        assertThat(page.hottest()).isEmpty();
        assertThat(page.unknownHeat()).isEqualTo(2);
        assertThat(page.remoteBytes()).isEqualTo(60);
        assertThat(page.servers().get(1).share(LoadDimension.STORE_SIZE)).isEqualTo(1.5);
        assertThat(page.treemap().cells().get(0).requestsPerSecond()).isEqualTo(-1);
        assertThat(page.treemap().cells().get(0).localPercent()).isEqualTo(40);
    }

    /** It was said to be even for a minute while one region of unknown heat took 1,400 reads a second. */
    @Test
    void aRegionOfUnknownHeatCountsAtItsFirstRates() {
        RegionState hot = region(
                "1",
                "t",
                new RegionHeat.Unknown(RegionHeat.Reason.OBSERVED_TOO_BRIEFLY, LoadVector.ofReads(1_400)),
                new StoreFileBytes(1, 1, 1));
        Page page = page(server("a", "", 1, hot), server("b", "", 1, region("2", "t", 100, 0)));

        BalanceSummary reads = page.balance().get(0);
        assertThat(reads.total()).isEqualTo(1_500);
        assertThat(reads.state()).isNotEqualTo(BalanceState.BALANCED);
        assertThat(reads.maxOverMean()).isCloseTo(1_400 / 750.0, within(1e-9));
        assertThat(page.unknownHeat()).isEqualTo(1);
    }

    /** Rates are shown as measured; a swing of the last minutes that plans do not count makes no share. */
    @Test
    void aShareIsOfWhatPlansCount() {
        LoadVector now = LoadVector.ofReads(1_000);
        RegionState swinging = region(
                "1", "t", new RegionHeat.Known(now, now, now, 1, LoadVector.ofReads(300)), new StoreFileBytes(1, 1, 1));
        Page page = page(server("a", "", 1, swinging), server("b", "", 1, region("2", "t", 100, 0)));

        assertThat(page.servers().get(0).load(LoadDimension.READS)).isEqualTo(1_000);
        assertThat(page.servers().get(0).share(LoadDimension.READS)).isCloseTo(1.5, within(1e-9));
        assertThat(page.balance().get(0).total()).isEqualTo(1_100);
        assertThat(page.hottest().get(0).share()).isCloseTo(1.5, within(1e-9));
        assertThat(page.hottest().get(0).load(LoadDimension.READS)).isEqualTo(1_000);
    }

    /** 905 reads a second were shown three minutes after the load had ended. */
    @Test
    void theLastRateStandsBesideTheDecayedOne() {
        LoadVector decayed = LoadVector.ofReads(905);
        RegionState idle =
                region("1", "t", new RegionHeat.Known(decayed, decayed, LoadVector.ZERO), new StoreFileBytes(1, 1, 1));
        BalanceSummary reads =
                page(server("a", "", 1, idle), server("b", "", 1)).balance().get(0);

        assertThat(reads.total()).isEqualTo(905);
        assertThat(reads.last()).isZero();
    }

    /** A decommissioned server that still has a region made 1.46 of what the plan rightly called 1.10. */
    @Test
    void aServerThatIsEmptiedHasNoShare() {
        ServerState drained = server("c", "", 1, region("3", "t", 10, 0)).beingDrained();
        Page page = page(
                drained, server("a", "", 1, region("1", "t", 110, 0)), server("b", "", 1, region("2", "t", 90, 0)));

        BalanceSummary reads = page.balance().get(0);
        assertThat(reads.maxOverMean()).isCloseTo(1.1, within(1e-9));
        assertThat(reads.meanPerServer()).isEqualTo(100);
        assertThat(page.servers()).extracting(row -> row.state().draining()).containsExactly(false, false, true);
        assertThat(page.regions()).isEqualTo(3);
    }

    @Test
    void aWeightOf0IsNotTooLittleLoad() {
        Page page = PageFixtures.page(
                Map.of("hbase.master.balancer.stochastic.readHeatCost", "0"),
                server("a", "", 1, region("1", "t", 900, 100)),
                server("b", "", 1, region("2", "t", 100, 100)));

        assertThat(page.balance().get(0).state()).isEqualTo(BalanceState.ZERO_WEIGHT);
        assertThat(page.balance().get(1).state()).isEqualTo(BalanceState.BALANCED);
    }

    @Test
    void aClusterWithoutServersIsAPageToo() {
        Page page = page();

        assertThat(page.servers()).isEmpty();
        assertThat(page.balance()).extracting(BalanceSummary::maxOverMean).containsOnly(1.0);
        assertThat(page.estimatedHealMs()).hasValue(0);
    }

    /** Broken (bytes / the rate of late): another time than the dry run's, and none before the first move was confirmed. */
    @Test
    void theTimeThatIsLeftIsTheHealers() {
        RegionHeat cold = new RegionHeat.Known(LoadVector.ZERO, LoadVector.ZERO, LoadVector.ZERO);
        ServerState remote = server("a", "", 1, region("1", "t", cold, new StoreFileBytes(200, 20, 200)));
        ServerState local = server("b", "", 1, region("2", "t", cold, new StoreFileBytes(200, 200, 200)));

        assertThat(PageFixtures.healing(22_500, remote).estimatedHealMs()).hasValue(22_500);
        assertThat(PageFixtures.healing(0, remote).estimatedHealMs())
                .as("it does not say")
                .isEmpty();
        assertThat(PageFixtures.healing(22_500, local).estimatedHealMs())
                .as("nothing is remote")
                .hasValue(0);
    }

    @Test
    void theServersForWhichMostIsLeftToHealComeFirst() {
        RegionHeat cold = new RegionHeat.Known(LoadVector.ZERO, LoadVector.ZERO, LoadVector.ZERO);
        Page page = page(
                server("a", "", 1, region("1", "t", cold, new StoreFileBytes(100, 40, 100))),
                server("b", "", 1, region("2", "t", cold, new StoreFileBytes(100, 100, 100))),
                server("c", "", 1, region("3", "t", cold, new StoreFileBytes(100, 0, 100))));

        assertThat(page.busiest(3))
                .extracting(one -> one.server().host() + " " + one.remoteBytes())
                .containsExactly("c 100", "a 60");
        assertThat(page.busiest(1)).hasSize(1);
    }

    @Test
    void ofTooManyCellsEachServerLosesItsPart() {
        List<ServerState> servers = List.of(
                server("a", "", 1, region("1", "t", 1, 1), region("2", "t", 1, 1)),
                server("b", "", 1, region("3", "t", 1, 1), region("4", "t", 1, 1)));

        RegionTreemap treemap = RegionTreemap.of(servers, 2);

        assertThat(treemap.cells())
                .extracting(cell -> cell.region().encodedName())
                .containsExactly("1", "3");
        assertThat(treemap.firstOfServer()).containsExactly(0, 1);
        assertThat(treemap.left()).isEqualTo(2);
    }

    @Test
    void allOfItIsAllOfItAndNotNearlyAll() {
        assertThat(Cell.of(unknown("1", "t", 1_000_000, 999_999)).localPercent())
                .isEqualTo(99);
        assertThat(Cell.of(unknown("1", "t", 0, 0)).localPercent()).isEqualTo(-1);
    }
}
