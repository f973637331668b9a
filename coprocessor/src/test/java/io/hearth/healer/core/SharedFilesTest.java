// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.plan.PlanRequest.SharedFileReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SharedFilesTest {

    private static final EncodedRegionName SELF = new EncodedRegionName("self");
    private static final EncodedRegionName DAUGHTER = new EncodedRegionName("daughter");
    private static final EncodedRegionName CLONE = new EncodedRegionName("clone");
    private static final RegionFiles OWN = RegionFiles.of(List.of(file("0a"), file("0b")));

    private final SharedFiles shared = new SharedFiles();

    @Test
    void theOthersThatReadTheSameFileAndHowMuchOfIt() {
        shared.learn(SELF, OWN);
        shared.learn(DAUGHTER, reading(FilePart.FIRST_HALF, "0a"));
        shared.learn(CLONE, reading(FilePart.WHOLE, "0a", "0c"));

        assertThat(shared.others(SELF, OWN, SharedFilesTest::served))
                .isEqualTo(Map.of(
                        "0a",
                        List.of(
                                new SharedFileReader("host-of-clone", FilePart.WHOLE),
                                new SharedFileReader("host-of-daughter", FilePart.FIRST_HALF))));
    }

    @Test
    void whatTheMasterKnowsAndWhatTheFoldersSaidTogether() {
        EncodedRegionName sister = new EncodedRegionName("sister");
        FileRead read = new FileRead(
                file("0a"),
                FilePart.FIRST_HALF,
                false,
                new TreeMap<>(Map.of(SELF, FilePart.WHOLE, sister, FilePart.WHOLE)));
        RegionFiles files = new RegionFiles(List.of(read), Map.of(), false);
        shared.learn(DAUGHTER, files);
        shared.learn(sister, reading(FilePart.SECOND_HALF, "0a"));

        assertThat(shared.others(DAUGHTER, files, SharedFilesTest::served))
                .isEqualTo(Map.of(
                        "0a",
                        List.of(
                                new SharedFileReader("host-of-self", FilePart.WHOLE),
                                new SharedFileReader("host-of-sister", FilePart.SECOND_HALF))));
    }

    @Test
    void whatWasLearntIsReplacedAndForgotten() {
        shared.learn(CLONE, reading(FilePart.WHOLE, "0a"));
        shared.learn(CLONE, reading(FilePart.WHOLE, "0b"));
        assertThat(shared.others(SELF, OWN, SharedFilesTest::served)).containsOnlyKeys("0b");

        shared.forget(CLONE);
        assertThat(shared.others(SELF, OWN, SharedFilesTest::served)).isEmpty();
    }

    @Test
    void whoIsNotServedReadsNothing() {
        shared.learn(CLONE, reading(FilePart.WHOLE, "0a"));

        assertThat(shared.others(SELF, OWN, region -> Optional.empty())).isEmpty();
    }

    private static RegionFiles reading(FilePart part, String... names) {
        return new RegionFiles(
                Stream.of(names)
                        .map(name -> new FileRead(file(name), part, false, new TreeMap<>()))
                        .toList(),
                Map.of(),
                false);
    }

    private static Optional<ServedRegion> served(EncodedRegionName region) {
        ServerId server = new ServerId("host-of-" + region, 16020, 1);
        return Optional.of(new ServedRegion(
                region, new TableId("t"), HealRank.USER, TableHealingMode.ON, server, Optional.empty()));
    }

    private static StoreFile file(String name) {
        return new StoreFile("/hbase/data/default/t/r/f/" + name, 3, false, true, List.of());
    }
}
