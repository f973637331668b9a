package io.hearth.healing.loop;

import static io.hearth.healing.fakes.Racks.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.ReportedLocality;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions that can't be looked at take no turns of those that can. */
class LookFailuresTest {

    private static final long HOUR_MS = 3_600_000;

    private final FakeCluster cluster = new FakeCluster();

    @ParameterizedTest
    @EnumSource(names = {"NOT_PERMITTED", "UNREADABLE"})
    void aTableThatMayNotBeReadDoesNotHoldUpOthers(UnknownReason reason) {
        for (int number = 0; number < 300; number++) {
            serve(String.format("a%03d", number), "locked", HealRank.FIRST);
        }
        cluster.hdfs.listing = (region, files) -> isLocked(region) ? Observed.unknown(reason, "no") : files;
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);

        assertThat(cluster.isHome("c1")).isTrue();
        assertThat(cluster.metrics.get(HealingCounter.NAMENODE_FAILURES)).isZero();
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE)).isBetween(2L, 10L);
    }

    @Test
    void ofTenLooksOneAtMostIsInVainWhileOthersWait() {
        for (int number = 0; number < 300; number++) {
            serve(String.format("a%03d", number), "locked" + number, HealRank.FIRST);
            RegionId open = serve(String.format("b%03d", number), "open", HealRank.USER);
            cluster.hdfs.addFile(
                    open,
                    new StoreFile("/open/" + number, 3, false, true, List.of(block(9_000 + number, "c1", "b1", "b2"))));
        }
        cluster.hdfs.listing =
                (region, files) -> isLocked(region) ? Observed.unknown(UnknownReason.NOT_PERMITTED, "no") : files;
        // Each table is met once, and is known then.
        cluster.run(60_000);
        long inVain = cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE);
        long looks = cluster.metrics.get(HealingCounter.REGIONS_LISTED);
        assertThat(inVain).isGreaterThanOrEqualTo(300);

        cluster.memory.wishes().wish(openRegions());
        cluster.run(7_000);
        long inVainNow = cluster.metrics.get(HealingCounter.REGIONS_UNREADABLE) - inVain;
        long looksNow = cluster.metrics.get(HealingCounter.REGIONS_LISTED) - looks;
        assertThat(looksNow).isGreaterThanOrEqualTo(300);
        assertThat(10 * inVainNow).isLessThanOrEqualTo(looksNow + 20);
    }

    @Test
    void whatMayBeReadAgainIsHealed() {
        serve("a1", "locked", HealRank.FIRST);
        serve("a2", "locked", HealRank.FIRST);
        cluster.hdfs.addFile(new RegionId("a1"), file("a1", 101));
        cluster.hdfs.addFile(new RegionId("a2"), file("a2", 102));
        cluster.hdfs.listing =
                (region, files) -> isLocked(region) ? Observed.unknown(UnknownReason.NOT_PERMITTED, "no") : files;
        cluster.run(HOUR_MS);
        assertThat(cluster.hdfs.moved).isEmpty();

        cluster.hdfs.listing = (region, files) -> files;
        cluster.memory.wishes().wish(Set.of(new RegionId("a1")));
        cluster.run(30_000);
        assertThat(cluster.hdfs.moved).as("who asks for one asks for its table").isNotEmpty();
        cluster.run(2 * HOUR_MS);
        assertThat(cluster.hdfs.moved).hasSize(2);
    }

    @Test
    void aRegionWhoseFilesMakePlanningFailIsPutAsideAndOthersGoOn() {
        RegionId poison = serve("a1", "poison", HealRank.FIRST);
        cluster.hdfs.listing = (region, files) -> {
            if (region.region().equals(poison)) {
                throw new IllegalStateException("a file of 0 replicas");
            }
            return files;
        };
        cluster.serve("c1", 0, 200);
        cluster.run(60_000);
        assertThat(cluster.isHome("c1")).isTrue();

        cluster.run(HOUR_MS / 2);
        assertThat(cluster.metrics.get(HealingCounter.LOOKS_BROKEN_OFF)).isEqualTo(LookFailures.BREAKS);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_PUT_ASIDE)).isEqualTo(1);

        cluster.run(HOUR_MS);
        assertThat(cluster.metrics.get(HealingCounter.LOOKS_BROKEN_OFF))
                .as("once more after an hour")
                .isEqualTo(LookFailures.BREAKS + 1);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_PUT_ASIDE)).isEqualTo(2);
    }

    @Test
    void aRegionThatEndsTheLoopIsPutAsideToo() {
        RegionId poison = serve("a1", "poison", HealRank.FIRST);
        cluster.hdfs.listing = (region, files) -> {
            if (region.region().equals(poison)) {
                throw new StackOverflowError("references to references");
            }
            return files;
        };
        cluster.serve("c1", 0, 200);
        int failures = 0;
        for (int turn = 0; turn < 3_000; turn++) {
            try {
                cluster.run(100);
            } catch (StackOverflowError ended) {
                failures++;
                cluster.makeLoopAnew();
                cluster.nowMs += 10_000;
            }
        }

        assertThat(failures).isEqualTo(LookFailures.BREAKS);
        assertThat(cluster.metrics.get(HealingCounter.REGIONS_PUT_ASIDE)).isEqualTo(1);
        assertThat(cluster.isHome("c1")).isTrue();
    }

    private Set<RegionId> openRegions() {
        return Set.copyOf(cluster.served.keySet().stream()
                .filter(region -> region.encodedName().startsWith("b"))
                .toList());
    }

    private static boolean isLocked(ServedRegion region) {
        return region.table().name().startsWith("locked");
    }

    private static StoreFile file(String region, int number) {
        return new StoreFile("/" + region, 3, false, true, List.of(block(number, "a1", "b1", "b2")));
    }

    private RegionId serve(String name, String table, HealRank rank) {
        RegionId region = new RegionId(name);
        cluster.served.put(
                region,
                new ServedRegion(
                        region,
                        new TableId(table),
                        rank,
                        HealMode.ON,
                        new ServerId("c1", 16020, 1),
                        Optional.of(new ReportedLocality(1, 100))));
        return region;
    }
}
