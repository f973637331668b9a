// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.placement.FailedOpens.FailedOpen;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailedOpensTest {

    private static final long MINUTE_MS = 60_000;

    private static final PlacementView NOTHING_REPORTED =
            PlacementView.of(Optional.empty(), List.of(), region -> Optional.empty(), server -> 1, 0);

    private final FailedOpens failedOpens = new FailedOpens();
    private final List<ServerId> servers = IntStream.range(0, 5)
            .mapToObj(host -> new ServerId("host" + host, 16020, 1))
            .toList();
    private final Set<ServerId> all = Set.copyOf(servers);
    private long nowMs = MINUTE_MS;

    private static EncodedRegionName region(int number) {
        return new EncodedRegionName("region" + number);
    }

    /** HBase asks for another server: the region has not opened on this one. */
    private void fails(int region, int server) {
        failedOpens.sent(region(region), servers.get(server), 7, nowMs++);
        failedOpens.asked(region(region), 7, NOTHING_REPORTED, servers, nowMs++);
    }

    @Test
    void threeRegionsThatFailOnOneServerCloseIt() {
        IntStream.range(0, 2).forEach(region -> fails(region, 0));
        assertThat(failedOpens.excluded(all, nowMs)).isEmpty();

        fails(2, 0);

        assertThat(failedOpens.excluded(all, nowMs))
                .isEqualTo(Map.of(servers.get(0), "3 regions did not open there in the last 10 minutes"));
        assertThat(failedOpens.excluded(all, nowMs + 11 * MINUTE_MS)).isEmpty();
    }

    @Test
    void twoServersThatLackAClassAreBothClosed() {
        for (int region = 0; region < 3; region++) {
            fails(region, 0);
            fails(region, 1);
        }

        assertThat(failedOpens.excluded(all, nowMs)).containsOnlyKeys(servers.get(0), servers.get(1));
        assertThat(failedOpens.isPlacedByStock(region(0), nowMs)).isTrue();
    }

    /** Regions of a table whose codec no server has: HBase tries them everywhere. */
    @Test
    void regionsThatOpenNowhereCloseNoServer() {
        for (int server = 0; server < servers.size(); server++) {
            for (int region = 0; region < 3; region++) {
                fails(region, server);
            }
        }
        assertThat(failedOpens.excluded(all, nowMs)).isEmpty();
        assertThat(failedOpens.failedOn(region(0), nowMs)).containsExactlyInAnyOrderElementsOf(servers);

        IntStream.range(10, 13).forEach(region -> fails(region, 4));
        assertThat(failedOpens.excluded(all, nowMs))
                .as("beside them a server without a jar is still found")
                .containsOnlyKeys(servers.get(4));
    }

    /**
     * The same on a hundred servers, where HBase's retries reach no half of them in ten minutes. Broken (only a region that failed on most
     * servers is its own fault): 98 servers are closed, and what crashes with one lands on the other two.
     */
    @Test
    void norDoTheyOnAHundredServers() {
        List<ServerId> hundred = IntStream.range(0, 100)
                .mapToObj(host -> new ServerId("host" + host, 16020, 1))
                .toList();
        Random random = new Random(1);
        int mostClosed = 0;
        for (int attempt = 0; attempt < 13; attempt++) {
            for (int region = 0; region < 50; region++) {
                failedOpens.sent(region(region), hundred.get(random.nextInt(100)), 7, nowMs++);
                failedOpens.asked(region(region), 7, NOTHING_REPORTED, hundred, nowMs++);
                mostClosed = Math.max(
                        mostClosed,
                        failedOpens.excluded(Set.copyOf(hundred), nowMs).size());
            }
        }

        assertThat(mostClosed).as("while nobody can know yet").isLessThan(34);
        assertThat(failedOpens.excluded(Set.copyOf(hundred), nowMs)).isEmpty();
    }

    /** HBase tries each every four minutes by then. Broken (only failures of ten minutes tell where a region fails): 50 and more are closed. */
    @Test
    void norDoTheyWhenTheyAreTriedSeldom() {
        List<ServerId> hundred = IntStream.range(0, 100)
                .mapToObj(host -> new ServerId("host" + host, 16020, 1))
                .toList();
        Random random = new Random(1);
        for (int attempt = 0; attempt < 20; attempt++) {
            for (int region = 0; region < 150; region++) {
                failedOpens.sent(region(region), hundred.get(random.nextInt(100)), 7, nowMs++);
                failedOpens.asked(region(region), 7, NOTHING_REPORTED, hundred, nowMs++);
            }
            nowMs += 4 * MINUTE_MS;
        }

        assertThat(failedOpens.excluded(Set.copyOf(hundred), nowMs)).isEmpty();
    }

    @Test
    void whatDidNotOpenIsToldOnce() {
        fails(0, 1);
        fails(1, 0);
        failedOpens.sent(region(2), servers.get(0), 7, nowMs++);
        failedOpens.asked(region(2), 8, NOTHING_REPORTED, servers, nowMs++);

        assertThat(failedOpens.takeFailures())
                .containsExactly(new FailedOpen(region(0), servers.get(1)), new FailedOpen(region(1), servers.get(0)));
        assertThat(failedOpens.takeFailures()).isEmpty();
    }

    @Test
    void whereNobodyWantsToKnowWhatDidNotOpenTheOldestAreForgotten() {
        IntStream.range(0, 3_000).forEach(region -> fails(region, region % 5));

        assertThat(failedOpens.takeFailures())
                .hasSize(FailedOpens.UNFETCHED)
                .startsWith(new FailedOpen(region(2_000), servers.get(0)));
    }

    /** Broken (only {@link FailedOpens#settle} forgets): every region that ever was is kept where Hearth is off. */
    @Test
    void regionsThatComeAndGoAreForgottenThoughNobodySettles() {
        for (int region = 0; region < 50_000; region++) {
            failedOpens.sent(region(region), servers.get(0), 7, nowMs += 1_000);
        }

        assertThat(failedOpens.attempts())
                .as("two times ten minutes of one a second")
                .isLessThan(1_300);
    }

    /** New hosts without a jar, which are empty and so come first. */
    @Test
    void threeOfTenServersThatLackAClassAreClosed() {
        List<ServerId> ten = IntStream.range(0, 10)
                .mapToObj(host -> new ServerId("host" + host, 16020, 1))
                .toList();
        for (int region = 0; region < 3; region++) {
            for (int server = 0; server < 3; server++) {
                failedOpens.sent(region(region), ten.get(server), 7, nowMs++);
                failedOpens.asked(region(region), 7, NOTHING_REPORTED, ten, nowMs++);
            }
        }

        assertThat(failedOpens.excluded(Set.copyOf(ten), nowMs)).containsOnlyKeys(ten.subList(0, 3));
    }

    /** The half of them: it may be them. */
    @Test
    void ofTwoServersOneIsClosedAndWhatOpensOnNeitherClosesNone() {
        List<ServerId> two = servers.subList(0, 2);
        for (ServerId server : two) {
            for (int region = 0; region < 3; region++) {
                failedOpens.sent(region(region), server, 7, nowMs++);
                failedOpens.asked(region(region), 7, NOTHING_REPORTED, two, nowMs++);
            }
            assertThat(failedOpens.excluded(Set.copyOf(two), nowMs)).hasSize(server.equals(two.get(0)) ? 1 : 0);
        }
    }

    /** Of a group of three servers two are most, however many servers other groups have. */
    @Test
    void aGroupIsJudgedByItsOwnServers() {
        Set<ServerId> group = Set.copyOf(servers.subList(0, 3));
        for (int server = 0; server < 2; server++) {
            for (int region = 0; region < 3; region++) {
                int another = 3 * server + region;
                failedOpens.sent(region(another), servers.get(server), 7, nowMs++);
                failedOpens.asked(region(another), 7, NOTHING_REPORTED, group, nowMs++);
            }
        }
        fails(9, 4);

        assertThat(failedOpens.excluded(group, nowMs)).isEmpty();
        assertThat(failedOpens.excluded(all, nowMs)).containsOnlyKeys(servers.get(0), servers.get(1));
        assertThat(failedOpens.excluded(Set.copyOf(servers.subList(2, 5)), nowMs))
                .isEmpty();
    }

    @Test
    void aRegionThatOpensAfterAllHoldsNothingAgainstAnyServer() {
        IntStream.range(0, 3).forEach(region -> fails(region, 0));
        failedOpens.opened(region(1));

        assertThat(failedOpens.excluded(all, nowMs)).isEmpty();
        assertThat(failedOpens.failedOn(region(1), nowMs)).isEmpty();
    }
}
