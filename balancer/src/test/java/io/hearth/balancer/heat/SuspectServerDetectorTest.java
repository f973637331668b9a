// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hearth.balancer.heat.SuspectServer.Evidence;
import io.hearth.balancer.heat.SuspectServerDetector.RegionMeasurement;
import io.hearth.balancer.heat.SuspectServerDetector.ServerMeasurement;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every bound of the rules, from both sides. A region has 100 requests a second where nothing else is said. */
class SuspectServerDetectorTest {

    private static final TableId TABLE = new TableId("t");
    private static final TableId ONLY_HERE = new TableId("only-here");
    private static final ServerId SICK = new ServerId("sick", 1, 1);
    private static final ServerId OTHER = new ServerId("other", 1, 1);
    private static final ServerId THIRD = new ServerId("third", 1, 1);
    private static final ServerId FOURTH = new ServerId("fourth", 1, 1);
    private static final ServerRpcStats AT_EASE = new ServerRpcStats(0, 20);
    private static final double RATIO = 0.5;
    private static final long MINUTE_MS = 60_000;

    private final SuspectServerDetector suspects = SuspectServerDetector.ofDrops();
    private long nowMs = 1_000_000_000;
    private long elapsedMs = MINUTE_MS;

    private static List<RegionMeasurement> reads(int regions, double expected, double served) {
        return reads(TABLE, regions, expected, served);
    }

    private static List<RegionMeasurement> reads(TableId table, int regions, double expected, double served) {
        return Collections.nCopies(
                regions, new RegionMeasurement(table, TestRates.of(expected, 0), TestRates.of(served, 0), false));
    }

    private static List<RegionMeasurement> writes(int regions, double expected, double served) {
        return Collections.nCopies(
                regions, new RegionMeasurement(TABLE, TestRates.of(0, expected), TestRates.of(0, served), false));
    }

    private static List<RegionMeasurement> arrivalRates(int regions, double expected, double served) {
        return Collections.nCopies(
                regions, new RegionMeasurement(TABLE, TestRates.of(expected, 0), TestRates.of(served, 0), true));
    }

    @SafeVarargs
    private static List<RegionMeasurement> all(List<RegionMeasurement>... parts) {
        return Stream.of(parts).flatMap(List::stream).toList();
    }

    private void judge(ServerMeasurement... looks) {
        suspects.judge(List.of(looks), RATIO, nowMs);
    }

    private ServerMeasurement look(ServerId server, List<RegionMeasurement> measures) {
        return ServerMeasurement.of(server, elapsedMs, measures, nowMs);
    }

    /** The sick server serves this; the other one, with ten regions of the table, what it did. */
    private void sickServes(List<RegionMeasurement> measures) {
        judge(look(SICK, measures), look(OTHER, reads(10, 100, 100)));
    }

    private void fallsFor(long ms) {
        elapsedMs = ms;
        sickServes(reads(5, 100, 10));
        elapsedMs = MINUTE_MS;
    }

    private void servesAgainFor(long ms, double served) {
        elapsedMs = ms;
        sickServes(reads(5, 100, served));
        elapsedMs = MINUTE_MS;
    }

    private boolean isSuspect() {
        return suspects.all().stream().anyMatch(suspect -> suspect.server().equals(SICK));
    }

    private double servedShare() {
        return suspects.all().get(0).servedShare();
    }

    @Test
    void fiveRegionsThatFallTogetherMakeAServerSuspect() {
        sickServes(reads(5, 100, 10));

        assertThat(suspects.all())
                .containsExactly(new SuspectServer(SICK, nowMs, 0.1, Evidence.ALL_REGIONS_DROPPED, Optional.empty()));
        assertThat(suspects.isRateFrozen(SICK)).isTrue();
        assertThat(suspects.isRateFrozen(OTHER)).isFalse();
        assertThat(suspects.isRateFrozenByArrivals(SICK)).isFalse();
    }

    /** Broken (each table asks every server): 10,000 tables on 1,000 servers are some ten million questions in each look. */
    @Test
    void aTableAsksNoServerThatDoesNotHaveIt() {
        List<ServerMeasurement> looks = new ArrayList<>();
        for (int server = 0; server < 50; server++) {
            TableId own = new TableId("t" + server);
            looks.add(look(new ServerId("s" + server, 1, 1), reads(own, 5, 100, server % 2 == 0 ? 100 : 10)));
        }
        judge(looks.toArray(ServerMeasurement[]::new));

        assertThat(suspects.sumsRead()).isEqualTo(50);
    }

    @Test
    void fourRegionsThatFallTogetherMayBeChance() {
        sickServes(reads(4, 100, 10));

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @Test
    void threeRegionsThatLandedAndLostTheirHeatAreEnoughAndTwoAreNot() {
        sickServes(arrivalRates(2, 100, 10));
        assertThat(suspects.isRateFrozen(SICK)).isFalse();
        sickServes(arrivalRates(3, 100, 10));

        assertThat(suspects.all())
                .containsExactly(
                        new SuspectServer(SICK, nowMs, 0.1, Evidence.ARRIVED_REGIONS_DROPPED, Optional.empty()));
        assertThat(suspects.isRateFrozenByArrivals(SICK)).isTrue();
    }

    @Test
    void whatLandedIsComparedApartFromTheOthers() {
        sickServes(all(arrivalRates(2, 100, 10), reads(3, 100, 10)));

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"49.9, true", "50, false"})
    void regionsFallBelowTheServedRatio(double served, boolean isRateFrozen) {
        sickServes(reads(5, 100, served));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @ParameterizedTest
    @CsvSource({"6, true", "5, false"})
    void threeQuartersOfTheRegionsMustHaveFallen(int fallen, boolean isRateFrozen) {
        sickServes(all(reads(fallen, 100, 0), reads(8 - fallen, 100, 100)));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @ParameterizedTest
    @CsvSource({"599, true", "600, false"})
    void theirSumMustHaveFallenToo(double ofTheLarge, boolean isRateFrozen) {
        // Six of eight lost all; the two large ones have half of the 1,200 that are expected, or less.
        judge(
                look(SICK, all(reads(6, 100, 0), reads(1, 300, ofTheLarge - 300), reads(1, 300, 300))),
                look(OTHER, reads(20, 100, 100)));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @ParameterizedTest
    @CsvSource({"55.001, true", "55, false"})
    void aServerThatDoesNotLookColdIsLeftAlone(double ofOther, boolean isRateFrozen) {
        // It serves 45, and nine tenths of the mean are 45.
        judge(look(SICK, reads(5, 100, 9)), look(OTHER, reads(1, ofOther, ofOther)));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @Test
    void writesThatFallAloneAreSeen() {
        judge(
                look(SICK, all(reads(5, 100, 100), writes(5, 100, 20))),
                look(OTHER, all(reads(5, 100, 100), writes(10, 100, 100))));

        assertThat(servedShare()).isEqualTo(0.2);
    }

    @Test
    void readsThatFallAloneAreSeen() {
        judge(
                look(SICK, all(reads(5, 100, 30), writes(5, 100, 100))),
                look(OTHER, all(reads(10, 100, 100), writes(5, 100, 100))));

        assertThat(servedShare()).isEqualTo(0.3);
    }

    @Test
    void whatLandedIsSeenBesideOthersThatAreWell() {
        sickServes(all(reads(5, 100, 100), arrivalRates(3, 100, 20)));

        assertThat(suspects.isRateFrozenByArrivals(SICK)).isTrue();
        assertThat(servedShare()).isEqualTo(0.2);
    }

    /** Shares of 1, 1/2, 1/2 and 1/5: the third of four is the upper quartile. */
    @Test
    void whatBecameOfTheTableElsewhereIsExpectedHere() {
        judge(
                look(SICK, reads(5, 100, 20)),
                look(OTHER, reads(5, 100, 50)),
                look(THIRD, reads(5, 100, 100)),
                look(FOURTH, reads(5, 100, 50)));

        assertThat(servedShare()).isEqualTo(0.4);
    }

    /** Of five shares the fourth is the upper quartile, in whatever order they come. */
    @Test
    void theUpperQuartileIsOfSortedShares() {
        List<ServerMeasurement> looks = new ArrayList<>(List.of(look(SICK, reads(5, 100, 20))));
        double[] served = {100, 80, 40, 50};
        for (int server = 0; server < served.length; server++) {
            looks.add(look(new ServerId("s" + server, 1, 1), reads(5, 100, served[server])));
        }
        judge(looks.toArray(ServerMeasurement[]::new));

        assertThat(servedShare()).isEqualTo(0.25);
    }

    @Test
    void aTableThatRoseElsewhereIsExpectedToHaveStayed() {
        judge(look(SICK, reads(5, 100, 50)), look(OTHER, reads(5, 100, 190)));

        assertThat(suspects.isRateFrozen(SICK))
                .as("half of 100, not a quarter of 200")
                .isFalse();
    }

    @Test
    void aTableThatOnlyOneServerHasTellsNothing() {
        judge(look(SICK, reads(5, 100, 10)), look(OTHER, reads(ONLY_HERE, 5, 100, 100)));
        assertThat(suspects.isRateFrozen(SICK)).isFalse();

        judge(look(SICK, reads(5, 100, 10)), look(OTHER, reads(5, 0, 20)));
        assertThat(suspects.isRateFrozen(SICK))
                .as("nothing was expected elsewhere")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"100, true", "100.1, false"})
    void halfOfWhatIsExpectedHereMustBeOfTablesThatOthersHave(double onlyHere, boolean isRateFrozen) {
        judge(look(SICK, all(reads(5, 100, 10), reads(ONLY_HERE, 5, onlyHere, 0))), look(OTHER, reads(10, 100, 100)));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @ParameterizedTest
    @CsvSource({"1, true", "0.99, false"})
    void fewerThanTenRequestsInASampleSayNothing(double expected, boolean isRateFrozen) {
        elapsedMs = 10_000;
        sickServes(reads(5, expected, 0));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    /** 450 a second were lost; another region of the table has come to serve twice what it did, and that is what is new in it. */
    @ParameterizedTest
    @CsvSource({"225, 450, false", "224, 448, true", "225, 449, true"})
    void loadThatWentToOtherKeysWasNotLost(double before, double now, boolean isRateFrozen) {
        judge(look(SICK, reads(5, 100, 10)), look(OTHER, all(reads(1, before, now), reads(3, 100, 100))));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @Test
    void loadOfAnotherTableThatRoseIsNotWhatWasLostHere() {
        judge(
                look(SICK, all(reads(5, 100, 10), reads(ONLY_HERE, 1, 10, 10))),
                look(OTHER, all(reads(10, 100, 100), reads(ONLY_HERE, 1, 300, 900))));

        assertThat(isSuspect()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"180000, true", "180001, false"})
    void aLookIsComparedForThreeMinutes(long ageMs, boolean isRateFrozen) {
        judge(look(OTHER, reads(10, 100, 100)));
        nowMs += ageMs;
        judge(look(SICK, reads(5, 100, 10)));

        assertThat(suspects.isRateFrozen(SICK)).isEqualTo(isRateFrozen);
    }

    @Test
    void itIsHeldAtOnceAndSuspectAfterFortyFiveSeconds() {
        fallsFor(22_500);
        assertThat(suspects.isRateFrozen(SICK)).isTrue();
        assertThat(isSuspect()).isFalse();
        assertThat(suspects.worthProbing()).isEmpty();
        nowMs += 22_500;
        fallsFor(22_499);
        assertThat(isSuspect()).isFalse();
        fallsFor(1_000);

        assertThat(isSuspect()).isTrue();
        assertThat(suspects.worthProbing()).containsExactly(SICK);
        assertThat(suspects.frozenSinceMs(SICK, nowMs)).as("since it fell").isEqualTo(nowMs - 22_500);
        assertThat(suspects.frozenSinceMs(OTHER, nowMs)).isEqualTo(nowMs);
    }

    @Test
    void fortyFiveSecondsAreEnough() {
        fallsFor(44_999);
        assertThat(isSuspect()).isFalse();
        suspects.retainServers(Set.of());
        fallsFor(45_000);
        assertThat(isSuspect()).isTrue();
    }

    @Test
    void regionsThatServeExactlyTheRatioHaveNotFallen() {
        sickServes(all(reads(4, 100, 50), reads(1, 100, 0)));

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @Test
    void whereReadsAndWritesFellReadsTell() {
        judge(
                look(SICK, all(reads(5, 100, 10), writes(5, 100, 20))),
                look(OTHER, all(reads(10, 100, 100), writes(10, 100, 100))));

        assertThat(servedShare()).isEqualTo(0.1);
    }

    @Test
    void oneThatIsBackBeforeItIsSuspectIsForgotten() {
        fallsFor(44_999);
        servesAgainFor(1_000, 60);
        assertThat(suspects.isRateFrozen(SICK)).isFalse();
        fallsFor(1_000);
        assertThat(isSuspect()).as("its time begins anew").isFalse();
    }

    /** Half-way from 0.5 to 1. */
    @ParameterizedTest
    @CsvSource({"120000, 75, false", "119999, 75, true", "120000, 74.9, true"})
    void itRecoversAfterTwoMinutesHalfWayBack(long ms, double served, boolean isSuspect) {
        fallsFor(MINUTE_MS);
        servesAgainFor(ms, served);

        assertThat(isSuspect()).isEqualTo(isSuspect);
    }

    @Test
    void theTwoMinutesAreThoseOfSeveralLooks() {
        fallsFor(MINUTE_MS);
        servesAgainFor(MINUTE_MS, 80);
        assertThat(servedShare()).isEqualTo(0.8);
        servesAgainFor(MINUTE_MS, 80);

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"60", "10"})
    void oneThatFallsOffAgainBeginsItsTwoMinutesAnew(double served) {
        fallsFor(MINUTE_MS);
        servesAgainFor(MINUTE_MS, 80);
        servesAgainFor(MINUTE_MS, served);
        servesAgainFor(MINUTE_MS, 80);

        assertThat(isSuspect()).isTrue();
        assertThat(suspects.all().get(0).evidence()).isEqualTo(Evidence.ALL_REGIONS_DROPPED);
    }

    @Test
    void aLookThatTellsNothingChangesNothing() {
        fallsFor(MINUTE_MS);
        servesAgainFor(MINUTE_MS, 80);
        sickServes(List.of());
        assertThat(servedShare()).isEqualTo(0.8);
        servesAgainFor(MINUTE_MS, 80);

        assertThat(isSuspect()).isFalse();
    }

    @Test
    void oneWhoseJmxSaysThatNobodyWaitsIsBelieved() {
        fallsFor(MINUTE_MS);
        suspects.rpcStatsReceived(SICK, new ServerRpcStats(1, 1));
        assertThat(isSuspect()).isTrue();
        assertThat(suspects.all().get(0).rpcStats()).contains(new ServerRpcStats(1, 1));
        suspects.rpcStatsReceived(SICK, new ServerRpcStats(0, 20.1));
        assertThat(isSuspect()).isTrue();
        suspects.rpcStatsReceived(SICK, AT_EASE);

        assertThat(isSuspect()).isFalse();
        assertThat(suspects.isRateFrozen(SICK)).isFalse();
        assertThat(suspects.worthProbing()).as("it is asked on").containsExactly(SICK);
        fallsFor(MINUTE_MS);
        assertThat(suspects.worthProbing()).as("while it serves as little").containsExactly(SICK);
        servesAgainFor(1_000, 60);
        assertThat(suspects.worthProbing())
                .as("it serves more, and is forgotten")
                .isEmpty();
    }

    @Test
    void oneThatLostWhatLandedThereIsNotBelieved() {
        sickServes(arrivalRates(3, 100, 10));
        suspects.rpcStatsReceived(SICK, AT_EASE);

        assertThat(isSuspect()).isTrue();
    }

    @Test
    void whatIsToldOfOneThatIsNotSuspectIsNotKept() {
        suspects.rpcStatsReceived(SICK, AT_EASE);
        fallsFor(30_000);
        suspects.rpcStatsReceived(SICK, AT_EASE);
        fallsFor(30_000);

        assertThat(isSuspect()).isTrue();
    }

    @Test
    void afterSixHoursWhatIsServedIsTakenForWhatIsAsked() {
        fallsFor(MINUTE_MS);
        long droppedAtMs = nowMs;
        nowMs = droppedAtMs + SuspectServerDetector.LONGEST_MS;
        judge();
        assertThat(isSuspect()).isTrue();
        fallsFor(MINUTE_MS);
        assertThat(isSuspect()).isTrue();
        nowMs++;
        fallsFor(MINUTE_MS);
        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @Test
    void theSixHoursBeginWhenItLastSaidThatCallsWait() {
        fallsFor(MINUTE_MS);
        nowMs += SuspectServerDetector.LONGEST_MS;
        judge();
        suspects.rpcStatsReceived(SICK, new ServerRpcStats(1, 20.1));
        suspects.rpcStatsReceived(SICK, new ServerRpcStats(1, 20));
        nowMs += SuspectServerDetector.LONGEST_MS;
        judge();
        assertThat(isSuspect()).isTrue();
        nowMs++;
        judge();

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 4", "3, 4"})
    void oneThatIsBelievedAndLosesWhatLandsThereIsSuspectAnewForTwiceAsLong(int again, int sixHours) {
        fallsFor(MINUTE_MS);
        assertThat(suspects.isSuspectAnew(SICK)).isFalse();
        nowMs += SuspectServerDetector.LONGEST_MS;
        for (int time = 1; time <= again; time++) {
            nowMs += SuspectServerDetector.LONGEST_AGAIN_MS + 1;
            sickServes(all(reads(5, 100, 10), arrivalRates(2, 100, 10)));
            assertThat(suspects.isRateFrozen(SICK)).as("two may be chance").isFalse();
            sickServes(all(reads(5, 100, 10), arrivalRates(3, 100, 10)));
            assertThat(isSuspect()).isTrue();
            assertThat(suspects.isSuspectAnew(SICK)).isTrue();
        }
        nowMs += sixHours * SuspectServerDetector.LONGEST_MS;
        judge();
        assertThat(isSuspect()).isTrue();
        nowMs++;
        judge();

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
        assertThat(suspects.isSuspectAnew(SICK)).isFalse();
    }

    @Test
    void theSixHoursOfOneThatFellByAClockThatWasAheadBeginNow() {
        nowMs += 120 * MINUTE_MS;
        fallsFor(MINUTE_MS);
        nowMs -= 120 * MINUTE_MS;
        judge();
        nowMs += SuspectServerDetector.LONGEST_MS;
        judge();
        assertThat(isSuspect()).isTrue();
        nowMs++;
        judge();

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @Test
    void theSixHoursEndWithoutANewReportToo() {
        fallsFor(MINUTE_MS);
        nowMs += SuspectServerDetector.LONGEST_MS + 1;
        judge();

        assertThat(suspects.isRateFrozen(SICK)).isFalse();
    }

    @Test
    void aServerThatIsGoneIsForgottenAndIsNobodysPeer() {
        fallsFor(MINUTE_MS);
        suspects.retainServers(Set.of(OTHER));
        assertThat(suspects.isRateFrozen(SICK)).isFalse();

        suspects.retainServers(Set.of());
        judge(look(SICK, reads(5, 100, 10)));
        assertThat(suspects.isRateFrozen(SICK))
                .as("no other server has the table")
                .isFalse();
    }

    @Test
    void aRatioOfZeroForgetsAll() {
        fallsFor(MINUTE_MS);
        suspects.judge(List.of(), 0, nowMs);
        assertThat(suspects.isRateFrozen(SICK)).isFalse();

        judge(look(SICK, reads(5, 100, 10)));
        assertThat(suspects.isRateFrozen(SICK))
                .as("the looks at others are forgotten too")
                .isFalse();
    }

    @Test
    void suspectsComeSorted() {
        List<ServerMeasurement> looks = new ArrayList<>();
        for (int server = 0; server < 20; server++) {
            looks.add(look(
                    new ServerId("server" + 7919 * (server + 1) % 1000, 1, 1), reads(5, 100, server < 10 ? 10 : 100)));
        }
        judge(looks.toArray(ServerMeasurement[]::new));

        assertThat(suspects.all()).extracting(SuspectServer::server).hasSize(10).isSorted();
        assertThat(suspects.worthProbing()).hasSize(10).isSorted();
    }

    @Test
    void aSuspectSaysWhy() {
        SuspectServer suspect = new SuspectServer(SICK, 0, 0.25, Evidence.ARRIVED_REGIONS_DROPPED, Optional.empty());
        assertThat(suspect.why())
                .isEqualTo(
                        "it serves 25 % of what its regions served before: regions that were moved there lost their heat");
        assertThat(new SuspectServer(
                                SICK,
                                0,
                                0.25,
                                Evidence.ARRIVED_REGIONS_DROPPED,
                                Optional.of(new ServerRpcStats(1, 20.4)))
                        .why())
                .endsWith("lost their heat; 1 call waits there, and one takes 20 ms");
        assertThat(new ServerRpcStats(2, 480).text()).isEqualTo("2 calls wait there, and one takes 480 ms");
        assertThat(AT_EASE.meanCallMs()).isCloseTo(ServerRpcStats.FAST_CALL_MS, within(0.0));
    }
}
