package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SharedFilesTest {

    private static final RegionFiles OWN = RegionFiles.of(List.of(file("0a"), file("0b")));
    private static final RegionId DAUGHTER = new RegionId("daughter");
    private static final RegionId CLONE = new RegionId("clone");

    private final SharedFiles shared = new SharedFiles();

    @Test
    void theHostsOfThoseThatReadTheSameFile() {
        shared.learn(DAUGHTER, new RegionFiles(List.of(), new TreeSet<>(List.of("0a")), new TreeSet<>()));
        shared.learn(CLONE, new RegionFiles(List.of(), new TreeSet<>(), new TreeSet<>(List.of("0a", "0c"))));

        assertThat(shared.sharers(OWN, SharedFilesTest::served))
                .isEqualTo(Map.of("0a", new TreeSet<>(List.of("host-of-clone", "host-of-daughter"))));
    }

    @Test
    void whatWasLearntIsReplacedAndForgotten() {
        shared.learn(CLONE, new RegionFiles(List.of(), new TreeSet<>(), new TreeSet<>(List.of("0a"))));
        shared.learn(CLONE, new RegionFiles(List.of(), new TreeSet<>(), new TreeSet<>(List.of("0b"))));
        assertThat(shared.sharers(OWN, SharedFilesTest::served)).containsOnlyKeys("0b");

        shared.forget(CLONE);
        assertThat(shared.sharers(OWN, SharedFilesTest::served)).isEmpty();
    }

    @Test
    void whoIsNotServedSharesNothing() {
        shared.learn(CLONE, new RegionFiles(List.of(), new TreeSet<>(), new TreeSet<>(List.of("0a"))));

        assertThat(shared.sharers(OWN, region -> Optional.empty())).isEmpty();
    }

    private static Optional<ServedRegion> served(RegionId region) {
        ServerId server = new ServerId("host-of-" + region, 16020, 1);
        return Optional.of(
                new ServedRegion(region, new TableId("t"), HealRank.USER, HealMode.ON, server, Optional.empty()));
    }

    private static StoreFile file(String name) {
        return new StoreFile("/hbase/data/default/t/r/f/" + name, 3, false, true, List.of());
    }
}
