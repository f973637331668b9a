package io.hearth.web.model;

import static io.hearth.web.model.Pages.page;
import static io.hearth.web.model.Pages.region;
import static io.hearth.web.model.Pages.server;
import static io.hearth.web.model.Pages.unknown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.web.model.Evenness.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageMakerTest {

    @Test
    void sharesAreMultiplesOfTheFairShareByCapacity() {
        Page page = page(
                server("b", "r2", 1, region("1", "t", 300, 0)),
                server("a", "r1", 3, region("2", "t", 300, 0), region("3", "t", 200, 0)));

        assertThat(page.servers()).extracting(row -> row.server().host()).containsExactly("a", "b");
        assertThat(page.servers().get(0).share(LoadDimension.READS)).isCloseTo(500 / 600.0, within(1e-9));
        assertThat(page.servers().get(1).share(LoadDimension.READS)).isCloseTo(300 / 200.0, within(1e-9));
        Evenness reads = page.evenness().get(0);
        assertThat(reads.maxOverMean()).isCloseTo(1.5, within(1e-9));
        assertThat(reads.meanPerServer()).isEqualTo(400);
        assertThat(reads.hottest()).map(server -> server.host()).hasValue("b");
        assertThat(reads.verdict()).isEqualTo(Verdict.UNEVEN);
    }

    @Test
    void oneRegionThatIsHotterThanAServersShareIsTheLowerBound() {
        Page page = page(
                server("a", "", 1, region("1", "t", 800, 0)),
                server("b", "", 1, region("2", "t", 100, 0)),
                server("c", "", 1, region("3", "t", 100, 0)));

        Evenness reads = page.evenness().get(0);
        assertThat(reads.lowerBound()).isCloseTo(2.4, within(1e-9));
        assertThat(reads.verdict()).isEqualTo(Verdict.AS_EVEN_AS_CAN_BE);
        assertThat(page.hottest().get(0).share()).isCloseTo(2.4, within(1e-9));
    }

    @Test
    void hotRegionsThatHaveToShareAServerAreTheLowerBound() {
        Page page = page(
                server("a", "", 1, region("1", "t", 100, 0), region("2", "t", 100, 0)),
                server("b", "", 1, region("3", "t", 100, 0), region("4", "t", 100, 0)),
                server("c", "", 1, region("5", "t", 100, 0), region("6", "t", 1, 0)),
                server("d", "", 1, region("7", "t", 100, 0), region("8", "t", 1, 0)));

        Evenness reads = page.evenness().get(0);
        assertThat(reads.lowerBound()).isCloseTo(200 * 4 / 602.0, within(1e-9));
        assertThat(reads.boundTogether()).isEqualTo(2);
        assertThat(reads.maxOverMean()).isCloseTo(reads.lowerBound(), within(1e-9));
        assertThat(reads.verdict()).isEqualTo(Verdict.AS_EVEN_AS_CAN_BE);
    }

    @Test
    void belowTheTriggerSuchABoundIsNoExcuse() {
        Page page = page(
                server("a", "", 1, region("1", "t", 53, 0), region("2", "t", 53, 0)),
                server("b", "", 1, region("3", "t", 53, 0), region("4", "t", 35, 0)));

        Evenness reads = page.evenness().get(0);
        assertThat(reads.lowerBound()).isCloseTo(106 / 97.0, within(1e-9));
        assertThat(reads.verdict()).isEqualTo(Verdict.EVEN);
        assertThat(new Evenness(reads.dimension(), 194, 97, 1.15, reads.hottest(), 106 / 97.0, 2, 1.1, true).verdict())
                .isEqualTo(Verdict.UNEVEN);
    }

    @Test
    void whatCountsForNothingInPlansCountsForNothingInShares() {
        Page page = page(
                server("a", "", 1, region("1", "hbase:meta", 900, 0), region("2", "t", 100, 0)),
                server("b", "", 1, region("3", "t", 100, 0)));

        assertThat(page.evenness().get(0).maxOverMean()).isEqualTo(1);
        assertThat(page.servers().get(0).load().get(LoadDimension.READS)).isEqualTo(1_000);
        assertThat(page.hottest())
                .extracting(row -> row.region().region().encodedName())
                .containsExactly("2", "3");
    }

    @Test
    void beforeAnythingIsKnownNothingIsSaidOfHeatAndSizesAreThere() {
        Page page =
                page(server("a", "", 1, unknown("1", "t", 100, 40)), server("b", "", 1, unknown("2", "t", 300, 300)));

        assertThat(page.evenness()).extracting(Evenness::verdict).containsOnly(Verdict.TOO_LITTLE);
        assertThat(page.hottest()).isEmpty();
        assertThat(page.unknownHeat()).isEqualTo(2);
        assertThat(page.remoteBytes()).isEqualTo(60);
        assertThat(page.servers().get(1).share(LoadDimension.STORE_SIZE)).isEqualTo(1.5);
        assertThat(Cells.requestsPerSecond(page.cells().regions().get(0))).isEqualTo(-1);
        assertThat(Cells.localPercent(page.cells().regions().get(0))).isEqualTo(40);
    }

    @Test
    void aClusterWithoutServersIsAPageToo() {
        Page page = page();

        assertThat(page.servers()).isEmpty();
        assertThat(page.evenness()).extracting(Evenness::maxOverMean).containsOnly(1.0);
        assertThat(page.msToHome()).hasValue(0);
    }

    @Test
    void ofTooManyCellsEachServerLosesItsPart() {
        List<SeenServer> servers = List.of(
                server("a", "", 1, region("1", "t", 1, 1), region("2", "t", 1, 1)),
                server("b", "", 1, region("3", "t", 1, 1), region("4", "t", 1, 1)));

        Cells cells = Cells.of(servers, 2);

        assertThat(cells.regions())
                .extracting(cell -> cell.region().encodedName())
                .containsExactly("1", "3");
        assertThat(cells.firstOfServer()).containsExactly(0, 1);
        assertThat(cells.left()).isEqualTo(2);
    }

    @Test
    void allOfItIsAllOfItAndNotNearlyAll() {
        assertThat(Cells.localPercent(unknown("1", "t", 1_000_000, 999_999))).isEqualTo(99);
        assertThat(Cells.localPercent(unknown("1", "t", 0, 0))).isEqualTo(-1);
    }
}
