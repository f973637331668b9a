package io.hearth.healing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.FilePart;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.plan.OtherReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedFilesTest {

    private static final RegionId HOME = new RegionId("home");
    private static final RegionId DAUGHTER = new RegionId("daughter");
    private static final RegionId CLONE = new RegionId("clone");
    private static final RegionFiles OWN = RegionFiles.of(List.of(file("0a"), file("0b")));

    private final SharedFiles shared = new SharedFiles();

    @Test
    void theOthersThatReadTheSameFileAndHowMuchOfIt() {
        shared.learn(HOME, OWN);
        shared.learn(DAUGHTER, reading(FilePart.FIRST_HALF, "0a"));
        shared.learn(CLONE, reading(FilePart.WHOLE, "0a", "0c"));

        assertThat(shared.others(HOME, OWN, SharedFilesTest::served))
                .isEqualTo(Map.of(
                        "0a",
                        List.of(
                                new OtherReader("host-of-clone", FilePart.WHOLE),
                                new OtherReader("host-of-daughter", FilePart.FIRST_HALF))));
    }

    @Test
    void whatTheMasterKnowsAndWhatTheFoldersSaidTogether() {
        RegionId sister = new RegionId("sister");
        FileRead read = new FileRead(
                file("0a"),
                FilePart.FIRST_HALF,
                false,
                new TreeMap<>(Map.of(HOME, FilePart.WHOLE, sister, FilePart.WHOLE)));
        RegionFiles files = new RegionFiles(List.of(read), Map.of(), false);
        shared.learn(DAUGHTER, files);
        shared.learn(sister, reading(FilePart.SECOND_HALF, "0a"));

        assertThat(shared.others(DAUGHTER, files, SharedFilesTest::served))
                .isEqualTo(Map.of(
                        "0a",
                        List.of(
                                new OtherReader("host-of-home", FilePart.WHOLE),
                                new OtherReader("host-of-sister", FilePart.SECOND_HALF))));
    }

    @Test
    void whatWasLearntIsReplacedAndForgotten() {
        shared.learn(CLONE, reading(FilePart.WHOLE, "0a"));
        shared.learn(CLONE, reading(FilePart.WHOLE, "0b"));
        assertThat(shared.others(HOME, OWN, SharedFilesTest::served)).containsOnlyKeys("0b");

        shared.forget(CLONE);
        assertThat(shared.others(HOME, OWN, SharedFilesTest::served)).isEmpty();
    }

    @Test
    void whoIsNotServedReadsNothing() {
        shared.learn(CLONE, reading(FilePart.WHOLE, "0a"));

        assertThat(shared.others(HOME, OWN, region -> Optional.empty())).isEmpty();
    }

    private static RegionFiles reading(FilePart part, String... names) {
        return new RegionFiles(
                Stream.of(names)
                        .map(name -> new FileRead(file(name), part, false, new TreeMap<>()))
                        .toList(),
                Map.of(),
                false);
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
