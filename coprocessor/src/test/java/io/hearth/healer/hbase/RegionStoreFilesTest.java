// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import io.hearth.healer.hbase.RegionFileResolver.MobFiles;
import io.hearth.healer.model.RegionFiles;
import io.hearth.healer.model.RegionFiles.FilePart;
import io.hearth.healer.model.RegionFiles.FileRead;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.model.ServedRegion.HealRank;
import io.hearth.healer.model.ServedRegion.TableHealingMode;
import io.hearth.healer.model.SkipReason;
import io.hearth.healer.model.StoreFile;
import io.hearth.healer.spi.FileBlocks.StoreDirectories;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.mob.MobFileName;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HBase's own classes make the names of links, references and MOB files here. */
class RegionStoreFilesTest {

    private static final Path ROOT = new Path("hdfs://nn:8020/hbase");
    private static final TableName TABLE = TableName.valueOf("ns", "t");
    private static final TableName ORIGIN = TableName.valueOf("ns", "origin");
    private static final String HFILE = "0a1b";

    private Optional<TableDescriptor> descriptor = Optional.empty();
    private final FakeRegions regions = new FakeRegions();
    private final Map<String, Observed<List<StoreFile>>> directories = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private int foldersOfACall = 1;
    private int calls;
    private final RegionStoreFiles regionStoreFiles = newFolders(false);
    private RegionInfo region = regions.add(TABLE, "d", "k");

    private int filesOfACall = 1;
    private int fileCalls;
    private boolean filesFail;

    private RegionStoreFiles newFolders(boolean pinned) {
        return new RegionStoreFiles(new Folders(), table -> descriptor, regions, ROOT, pinned);
    }

    private final class Folders implements StoreDirectories {

        @Override
        public Observed<List<StoreFile>> list(String path) {
            asked.add(path);
            return directories.getOrDefault(path, Observed.gone());
        }

        @Override
        public int foldersAtATime() {
            return foldersOfACall;
        }

        @Override
        public List<Observed<List<StoreFile>>> listAll(List<String> paths) {
            calls++;
            return StoreDirectories.super.listAll(paths);
        }

        @Override
        public Observed<List<String>> names(String path) {
            asked.add("names of " + path);
            return directories.getOrDefault(path, Observed.gone()) instanceof Observed.Known<List<StoreFile>> known
                    ? Observed.known(known.value().stream().map(StoreFile::name).toList())
                    : Observed.gone();
        }

        @Override
        public int filesAtATime() {
            return filesOfACall;
        }

        @Override
        public List<Observed<StoreFile>> locateAll(List<String> paths) {
            fileCalls++;
            return StoreDirectories.super.locateAll(paths);
        }

        @Override
        public Observed<StoreFile> locate(String path) {
            asked.add(path);
            if (filesFail) {
                return Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused");
            }
            return directories
                    .getOrDefault(path.substring(0, path.lastIndexOf('/')), Observed.gone())
                    .ifKnown()
                    .stream()
                    .flatMap(List::stream)
                    .filter(file -> file.path().equals(path))
                    .findFirst()
                    .map(Observed::known)
                    .orElseGet(Observed::gone);
        }
    }

    @BeforeEach
    void aTableOfTwoFamilies() throws IOException {
        table(false);
    }

    private void table(boolean mob) throws IOException {
        descriptor = Optional.of(TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("a"))
                        .setMobEnabled(mob)
                        .build())
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
                .build());
    }

    @Test
    void oneListingForEachFamily() {
        put(dir(region, "a"), HFILE, ".filelist");
        put(dir(region, "b"), "2c3d_SeqId_4_");

        assertThat(files(list(region)))
                .containsExactly(dir(region, "a") + "/" + HFILE, dir(region, "b") + "/2c3d_SeqId_4_");
        assertThat(asked).containsExactly(dir(region, "a"), dir(region, "b"));
    }

    @Test
    void eachDaughterReadsHalfOfItsParentsFiles() {
        RegionInfo bottom = regions.add(TABLE, "d", "g");
        RegionInfo top = regions.add(TABLE, "g", "k");
        regions.add(TABLE, "k", "");
        regions.split(region);
        put(dir(region, "a"), HFILE);
        put(dir(bottom, "a"), HFILE + "." + region.getEncodedName());
        put(dir(top, "a"), HFILE + "." + region.getEncodedName(), "77");

        assertThat(list(bottom).files())
                .containsExactly(new FileRead(
                        file(dir(region, "a"), HFILE),
                        FilePart.FIRST_HALF,
                        false,
                        new TreeMap<>(Map.of(HBaseNames.region(top), FilePart.SECOND_HALF))));
        FileRead ofTop = list(top).files().stream()
                .filter(read -> !read.own())
                .findFirst()
                .orElseThrow();
        assertThat(ofTop.part()).isEqualTo(FilePart.SECOND_HALF);
        assertThat(ofTop.otherReaders()).isEqualTo(Map.of(HBaseNames.region(bottom), FilePart.FIRST_HALF));
    }

    @Test
    void aTurnListsAFolderOnceForBothDaughters() {
        RegionInfo bottom = regions.add(TABLE, "d", "g");
        RegionInfo top = regions.add(TABLE, "g", "k");
        regions.split(region);
        put(dir(region, "a"), HFILE, "0c0d");
        put(dir(bottom, "a"), HFILE + "." + region.getEncodedName(), "0c0d." + region.getEncodedName());
        put(dir(top, "a"), HFILE + "." + region.getEncodedName());
        put(dir(bottom, "b"));
        put(dir(top, "b"));

        list(bottom);
        list(top);
        assertThat(asked)
                .containsExactlyInAnyOrder(
                        dir(bottom, "a"), dir(bottom, "b"), dir(top, "a"), dir(top, "b"), dir(region, "a"));

        asked.clear();
        regionStoreFiles.list(served(bottom), 2);
        assertThat(asked).as("another turn asks anew").hasSize(3);
    }

    @Test
    void aMergedRegionReadsItsParentsFilesWhole() {
        RegionInfo merged = regions.add(TABLE, "d", "z");
        regions.split(region);
        put(dir(region, "a"), HFILE);
        put(dir(merged, "a"), HFILE + "." + region.getEncodedName());

        assertThat(list(merged).files()).extracting(FileRead::part).containsExactly(FilePart.WHOLE);
    }

    @Test
    void aCloneReadsTheOriginalsFilesWhereTheyAre() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        RegionInfo replica = regions.addReplica(origin, 1);
        put(dir(region, "a"), HFileLink.createHFileLinkName(origin, HFILE));
        put("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a", HFILE);

        FileRead read = list(region).files().get(0);

        assertThat(read.file().path()).isEqualTo("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a/" + HFILE);
        assertThat(read.own()).isFalse();
        assertThat(read.otherReaders())
                .isEqualTo(
                        Map.of(HBaseNames.region(origin), FilePart.WHOLE, HBaseNames.region(replica), FilePart.WHOLE));
    }

    @Test
    void whatTheOriginalHasCompactedAwayIsInTheArchive() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        put(dir(region, "a"), HFileLink.createHFileLinkName(origin, HFILE));
        put(dir(region, "b"));
        put("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a", "ffff");
        put("/hbase/archive/data/ns/origin/" + origin.getEncodedName() + "/a", HFILE);

        assertThat(files(list(region)))
                .containsExactly("/hbase/archive/data/ns/origin/" + origin.getEncodedName() + "/a/" + HFILE);
        assertThat(asked).hasSize(4);
        assertThat(list(region).files().get(0).otherReaders())
                .as("the original reads it no more")
                .isEmpty();
    }

    @Test
    void aDaughterOfACloneReadsThroughAReferenceToALink() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        RegionInfo bottom = regions.add(TABLE, "d", "g");
        regions.split(region);
        put(dir(bottom, "a"), HFileLink.createHFileLinkName(origin, HFILE) + "." + region.getEncodedName());
        put("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a", HFILE);

        FileRead read = list(bottom).files().get(0);

        assertThat(read.part()).isEqualTo(FilePart.FIRST_HALF);
        assertThat(read.file().name()).isEqualTo(HFILE);
        assertThat(read.otherReaders()).containsOnlyKeys(HBaseNames.region(origin));
    }

    @Test
    void whatPointsNowhereIsCounted() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        put(dir(region, "a"), HFileLink.createHFileLinkName(origin, HFILE), "0c." + origin.getEncodedName(), "0d");

        RegionFiles files = list(region);

        assertThat(files(files)).containsExactly(dir(region, "a") + "/0d");
        assertThat(files.skipped()).isEqualTo(Map.of(SkipReason.DANGLING_REFERENCE, 2L));
    }

    @Test
    void aReplicaReadsItsPrimarysFiles() {
        RegionInfo replica = regions.addReplica(region, 1);
        RegionInfo second = regions.addReplica(region, 2);
        put(dir(region, "a"), HFILE);

        FileRead read = list(replica).files().get(0);

        assertThat(read.file().path()).isEqualTo(dir(region, "a") + "/" + HFILE);
        assertThat(read.otherReaders()).containsOnlyKeys(HBaseNames.region(region), HBaseNames.region(second));
        assertThat(list(region).files().get(0).otherReaders())
                .containsOnlyKeys(HBaseNames.region(replica), HBaseNames.region(second));
    }

    @Test
    void mobFilesGoWithTheRegionThatWroteThem() throws IOException {
        table(true);
        RegionInfo neighbour = regions.add(TABLE, "k", "");
        RegionInfo parent = regions.add(TABLE, "d", "z");
        regions.split(parent);
        String mine = mob(region, region);
        put(dir(region, "a"), HFILE);
        put(
                mobDir("a"),
                mine,
                mob(neighbour, neighbour),
                mob(region, parent),
                mob(neighbour, parent),
                mob(region, region).substring(0, 72),
                HFileLink.createHFileLinkName(ORIGIN, "0123456789abcdef0123456789abcdef", mob(region, parent)));

        RegionFiles files = list(region);

        assertThat(files(files)).containsExactlyInAnyOrder(dir(region, "a") + "/" + HFILE, mobDir("a") + "/" + mine);
        assertThat(files.skipped())
                .as("of the parent, of an old name, and a clone's link")
                .isEqualTo(Map.of(SkipReason.UNOWNED_MOB, 3L));
        put(dir(neighbour, "a"));
        regionStoreFiles.list(served(neighbour), 60_000);
        assertThat(asked)
                .as("names once a minute, locations of one's own files alone")
                .doesNotContain(mobDir("a"))
                .containsOnlyOnce(
                        "names of " + mobDir("a"),
                        mobDir("a") + "/" + mine,
                        mobDir("a") + "/" + mob(neighbour, neighbour));
        regionStoreFiles.list(served(neighbour), 60_001);
        assertThat(asked.stream().filter(("names of " + mobDir("a"))::equals)).hasSize(2);
    }

    @Test
    void mobFilesAreAskedForTogether() throws IOException {
        putMobFiles(5);
        filesOfACall = 2;

        assertThat(list(region).files()).hasSize(6);
        assertThat(fileCalls).isEqualTo(3);
    }

    /** Each question takes a client's whole patience then, on the loop's thread. */
    @Test
    void aNameNodeThatIsAwayIsNotAskedForEachMobFile() throws IOException {
        putMobFiles(5);
        filesFail = true;

        assertThat(regionStoreFiles.list(served(region), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));
        assertThat(asked).filteredOn(path -> path.startsWith(mobDir("a") + "/")).hasSize(1);
    }

    private void putMobFiles(int count) throws IOException {
        table(true);
        put(dir(region, "a"), HFILE);
        put(
                mobDir("a"),
                IntStream.range(0, count)
                        .mapToObj(number -> MobFileName.create(
                                        region.getStartKey(),
                                        "20261121",
                                        "d46ec7d2da524a3f8b6dcd8cb0ce4b6" + number,
                                        region.getEncodedName())
                                .getFileName())
                        .toArray(String[]::new));
    }

    @Test
    void pinnedReplicasAreSaidToBe() {
        put(dir(region, "a"), HFILE);

        assertThat(newFolders(true)
                        .list(served(region), 1)
                        .ifKnown()
                        .orElseThrow()
                        .pinned())
                .isTrue();
        assertThat(list(region).pinned()).isFalse();
    }

    @Test
    void aFamilyThatWasJustDeletedIsPassedOver() {
        put(dir(region, "b"), "2c3d");

        assertThat(list(region).files()).hasSize(1);
    }

    @Test
    void aRegionWithoutFoldersIsGone() {
        assertThat(regionStoreFiles.list(served(region), 1)).isEqualTo(Observed.gone());
    }

    @Test
    void aTableWithoutDescriptorIsGone() throws IOException {
        descriptor = Optional.empty();

        assertThat(regionStoreFiles.list(served(region), 1)).isEqualTo(Observed.gone());
    }

    /** For a client HBase leaves a table without ADMIN and CREATE out of its lists, without a word. */
    @Test
    void aTableWhoseDescriptorIsNotShownIsNotPermitted() {
        RegionStoreFiles hidden = new RegionStoreFiles(
                new Folders(),
                table -> {
                    throw new AccessDeniedException("HBase shows no descriptor of " + table);
                },
                regions,
                ROOT,
                false);
        foldersOfACall = 5;

        assertThat(hidden.prepare(List.of(served(region)), 1)).isEqualTo(1);
        assertThat(hidden.list(served(region), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NOT_PERMITTED, "HBase shows no descriptor of ns:t"));
    }

    @Test
    void theFoldersOfSeveralRegionsAreListedByOneCall() {
        foldersOfACall = 5;
        RegionInfo second = regions.add(TABLE, "k", "p");
        RegionInfo third = regions.add(TABLE, "p", "t");
        put(dir(region, "a"), HFILE);
        put(dir(second, "b"), "2c3d");
        directories.put(dir(second, "a"), Observed.unknown(UnknownReason.NOT_PERMITTED, "user=hbase"));
        put(dir(third, "a"), HFILE);

        assertThat(regionStoreFiles.prepare(List.of(served(region), served(second), served(third)), 1))
                .as("a third would not fit")
                .isEqualTo(2);
        assertThat(calls).isEqualTo(1);
        assertThat(asked).containsExactly(dir(region, "a"), dir(region, "b"), dir(second, "a"), dir(second, "b"));
        assertThat(files(list(region))).containsExactly(dir(region, "a") + "/" + HFILE);
        assertThat(regionStoreFiles.list(served(second), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NOT_PERMITTED, "user=hbase"));
        assertThat(asked).as("nothing is asked twice").hasSize(4);
        assertThat(regionStoreFiles.prepare(List.of(served(third)), 1)).isEqualTo(1);
        assertThat(files(list(third))).hasSize(1);
        assertThat(asked).hasSize(6);
    }

    @Test
    void whatWasListedForOneTurnIsNotUsedInTheNext() {
        foldersOfACall = 5;
        put(dir(region, "a"), HFILE);
        regionStoreFiles.prepare(List.of(served(region)), 1);
        put(dir(region, "a"), HFILE, "2c3d");

        assertThat(regionStoreFiles
                        .list(served(region), 2)
                        .ifKnown()
                        .orElseThrow()
                        .files())
                .hasSize(2);
    }

    @Test
    void whereOneFolderIsAskedForAtATimeEachRegionIsAskedForByItself() {
        RegionInfo second = regions.add(TABLE, "k", "p");

        assertThat(regionStoreFiles.prepare(List.of(served(region), served(second)), 1))
                .isEqualTo(1);
        assertThat(asked).containsExactly(dir(region, "a"), dir(region, "b"));
    }

    @Test
    void whatTheNameNodeCanNotSayIsUnknown() {
        put(dir(region, "a"), HFILE);
        directories.put(dir(region, "b"), Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));

        assertThat(regionStoreFiles.list(served(region), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));
    }

    @Test
    void aRegionWhoseLinksCanNotBeFollowedIsUnknown() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        put(dir(region, "a"), HFileLink.createHFileLinkName(origin, HFILE));
        directories.put(
                "/hbase/data/ns/origin/" + origin.getEncodedName() + "/a",
                Observed.unknown(UnknownReason.NOT_PERMITTED, "user=hbase"));

        assertThat(regionStoreFiles.list(served(region), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NOT_PERMITTED, "user=hbase"));
    }

    private RegionFiles list(RegionInfo info) {
        return regionStoreFiles.list(served(info), 1).ifKnown().orElseThrow();
    }

    private static List<String> files(RegionFiles files) {
        return files.files().stream().map(read -> read.file().path()).toList();
    }

    private static ServedRegion served(RegionInfo info) {
        return new ServedRegion(
                HBaseNames.region(info),
                new TableId("ns:t"),
                HealRank.USER,
                TableHealingMode.ON,
                new ServerId("s", 1, 1),
                Optional.empty());
    }

    private static String dir(RegionInfo info, String family) {
        return "/hbase/data/ns/t/" + info.getEncodedName() + "/" + family;
    }

    private static String mobDir(String family) {
        return MobFiles.dir(ROOT, TABLE, family).toUri().getPath();
    }

    private static String mob(RegionInfo startOf, RegionInfo writer) {
        return MobFileName.create(
                        startOf.getStartKey(), "20261121", "d46ec7d2da524a3f8b6dcd8cb0ce4b6b", writer.getEncodedName())
                .getFileName();
    }

    private void put(String dir, String... names) {
        directories.put(
                dir,
                Observed.known(Arrays.stream(names).map(name -> file(dir, name)).toList()));
    }

    private static StoreFile file(String dir, String name) {
        return new StoreFile(dir + "/" + name, 3, false, true, List.of());
    }
}
