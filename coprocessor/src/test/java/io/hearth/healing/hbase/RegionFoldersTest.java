package io.hearth.healing.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.FilePart;
import io.hearth.healing.model.FileRead;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.SkipReason;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.mob.MobFileName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HBase's own classes make the names of links, references and MOB files here. */
class RegionFoldersTest {

    private static final Path ROOT = new Path("hdfs://nn:8020/hbase");
    private static final TableName TABLE = TableName.valueOf("ns", "t");
    private static final TableName ORIGIN = TableName.valueOf("ns", "origin");
    private static final String HFILE = "0a1b";

    private Optional<TableDescriptor> descriptor = Optional.empty();
    private final Regions regions = new Regions();
    private final Map<String, Observed<List<StoreFile>>> folders = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final RegionFolders regionFolders = newFolders(false);
    private RegionInfo region = regions.add(TABLE, "d", "k");

    private RegionFolders newFolders(boolean pinned) {
        return new RegionFolders(
                path -> {
                    asked.add(path);
                    return folders.getOrDefault(path, Observed.gone());
                },
                table -> descriptor,
                regions,
                ROOT,
                pinned);
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
        put(folder(region, "a"), HFILE, ".filelist");
        put(folder(region, "b"), "2c3d_SeqId_4_");

        assertThat(files(list(region)))
                .containsExactly(folder(region, "a") + "/" + HFILE, folder(region, "b") + "/2c3d_SeqId_4_");
        assertThat(asked).containsExactly(folder(region, "a"), folder(region, "b"));
    }

    @Test
    void eachDaughterReadsHalfOfItsParentsFiles() {
        RegionInfo bottom = regions.add(TABLE, "d", "g");
        RegionInfo top = regions.add(TABLE, "g", "k");
        regions.add(TABLE, "k", "");
        regions.split(region);
        put(folder(region, "a"), HFILE);
        put(folder(bottom, "a"), HFILE + "." + region.getEncodedName());
        put(folder(top, "a"), HFILE + "." + region.getEncodedName(), "77");

        assertThat(list(bottom).files())
                .containsExactly(new FileRead(
                        file(folder(region, "a"), HFILE),
                        FilePart.FIRST_HALF,
                        false,
                        new TreeMap<>(Map.of(HBaseIds.regionId(top), FilePart.SECOND_HALF))));
        FileRead ofTop = list(top).files().stream()
                .filter(read -> !read.own())
                .findFirst()
                .orElseThrow();
        assertThat(ofTop.part()).isEqualTo(FilePart.SECOND_HALF);
        assertThat(ofTop.otherReaders()).isEqualTo(Map.of(HBaseIds.regionId(bottom), FilePart.FIRST_HALF));
    }

    @Test
    void aTurnListsAFolderOnceForBothDaughters() {
        RegionInfo bottom = regions.add(TABLE, "d", "g");
        RegionInfo top = regions.add(TABLE, "g", "k");
        regions.split(region);
        put(folder(region, "a"), HFILE, "0c0d");
        put(folder(bottom, "a"), HFILE + "." + region.getEncodedName(), "0c0d." + region.getEncodedName());
        put(folder(top, "a"), HFILE + "." + region.getEncodedName());
        put(folder(bottom, "b"));
        put(folder(top, "b"));

        list(bottom);
        list(top);
        assertThat(asked)
                .containsExactlyInAnyOrder(
                        folder(bottom, "a"),
                        folder(bottom, "b"),
                        folder(top, "a"),
                        folder(top, "b"),
                        folder(region, "a"));

        asked.clear();
        regionFolders.list(served(bottom), 2);
        assertThat(asked).as("another turn asks anew").hasSize(3);
    }

    @Test
    void aMergedRegionReadsItsParentsFilesWhole() {
        RegionInfo merged = regions.add(TABLE, "d", "z");
        regions.split(region);
        put(folder(region, "a"), HFILE);
        put(folder(merged, "a"), HFILE + "." + region.getEncodedName());

        assertThat(list(merged).files()).extracting(FileRead::part).containsExactly(FilePart.WHOLE);
    }

    @Test
    void aCloneReadsTheOriginalsFilesWhereTheyAre() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        RegionInfo replica = regions.addReplica(origin, 1);
        put(folder(region, "a"), HFileLink.createHFileLinkName(origin, HFILE));
        put("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a", HFILE);

        FileRead read = list(region).files().get(0);

        assertThat(read.file().path()).isEqualTo("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a/" + HFILE);
        assertThat(read.own()).isFalse();
        assertThat(read.otherReaders())
                .isEqualTo(
                        Map.of(HBaseIds.regionId(origin), FilePart.WHOLE, HBaseIds.regionId(replica), FilePart.WHOLE));
    }

    @Test
    void whatTheOriginalHasCompactedAwayIsInTheArchive() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        put(folder(region, "a"), HFileLink.createHFileLinkName(origin, HFILE));
        put(folder(region, "b"));
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
        put(folder(bottom, "a"), HFileLink.createHFileLinkName(origin, HFILE) + "." + region.getEncodedName());
        put("/hbase/data/ns/origin/" + origin.getEncodedName() + "/a", HFILE);

        FileRead read = list(bottom).files().get(0);

        assertThat(read.part()).isEqualTo(FilePart.FIRST_HALF);
        assertThat(read.file().name()).isEqualTo(HFILE);
        assertThat(read.otherReaders()).containsOnlyKeys(HBaseIds.regionId(origin));
    }

    @Test
    void whatPointsNowhereIsCounted() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        put(folder(region, "a"), HFileLink.createHFileLinkName(origin, HFILE), "0c." + origin.getEncodedName(), "0d");

        RegionFiles files = list(region);

        assertThat(files(files)).containsExactly(folder(region, "a") + "/0d");
        assertThat(files.passedOver()).isEqualTo(Map.of(SkipReason.POINTS_NOWHERE, 2L));
    }

    @Test
    void aReplicaReadsItsPrimarysFiles() {
        RegionInfo replica = regions.addReplica(region, 1);
        RegionInfo second = regions.addReplica(region, 2);
        put(folder(region, "a"), HFILE);

        FileRead read = list(replica).files().get(0);

        assertThat(read.file().path()).isEqualTo(folder(region, "a") + "/" + HFILE);
        assertThat(read.otherReaders()).containsOnlyKeys(HBaseIds.regionId(region), HBaseIds.regionId(second));
        assertThat(list(region).files().get(0).otherReaders())
                .containsOnlyKeys(HBaseIds.regionId(replica), HBaseIds.regionId(second));
    }

    @Test
    void mobFilesGoWithTheRegionThatWroteThem() throws IOException {
        table(true);
        RegionInfo neighbour = regions.add(TABLE, "k", "");
        RegionInfo parent = regions.add(TABLE, "d", "z");
        regions.split(parent);
        String mine = mob(region, region);
        put(folder(region, "a"), HFILE);
        put(
                mobFolder("a"),
                mine,
                mob(neighbour, neighbour),
                mob(region, parent),
                mob(neighbour, parent),
                mob(region, region).substring(0, 72),
                HFileLink.createHFileLinkName(ORIGIN, "0123456789abcdef0123456789abcdef", mob(region, parent)));

        RegionFiles files = list(region);

        assertThat(files(files))
                .containsExactlyInAnyOrder(folder(region, "a") + "/" + HFILE, mobFolder("a") + "/" + mine);
        assertThat(files.passedOver())
                .as("of the parent, of an old name, and a clone's link")
                .isEqualTo(Map.of(SkipReason.MOB_OF_NO_REGION, 3L));
        put(folder(neighbour, "a"));
        list(neighbour);
        assertThat(asked.stream().filter(mobFolder("a")::equals)).hasSize(1);
    }

    @Test
    void pinnedReplicasAreSaidToBe() {
        put(folder(region, "a"), HFILE);

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
        put(folder(region, "b"), "2c3d");

        assertThat(list(region).files()).hasSize(1);
    }

    @Test
    void aRegionWithoutFoldersIsGone() {
        assertThat(regionFolders.list(served(region), 1)).isEqualTo(Observed.gone());
    }

    @Test
    void aTableWithoutDescriptorIsGone() throws IOException {
        descriptor = Optional.empty();

        assertThat(regionFolders.list(served(region), 1)).isEqualTo(Observed.gone());
    }

    @Test
    void whatTheNameNodeCanNotSayIsUnknown() {
        put(folder(region, "a"), HFILE);
        folders.put(folder(region, "b"), Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));

        assertThat(regionFolders.list(served(region), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));
    }

    @Test
    void aRegionWhoseLinksCanNotBeFollowedIsUnknown() {
        RegionInfo origin = regions.add(ORIGIN, "d", "k");
        put(folder(region, "a"), HFileLink.createHFileLinkName(origin, HFILE));
        folders.put(
                "/hbase/data/ns/origin/" + origin.getEncodedName() + "/a",
                Observed.unknown(UnknownReason.NOT_PERMITTED, "user=hbase"));

        assertThat(regionFolders.list(served(region), 1))
                .isEqualTo(Observed.unknown(UnknownReason.NOT_PERMITTED, "user=hbase"));
    }

    private RegionFiles list(RegionInfo info) {
        return regionFolders.list(served(info), 1).ifKnown().orElseThrow();
    }

    private static List<String> files(RegionFiles files) {
        return files.files().stream().map(read -> read.file().path()).toList();
    }

    private static ServedRegion served(RegionInfo info) {
        return new ServedRegion(
                HBaseIds.regionId(info),
                new TableId("ns:t"),
                HealRank.USER,
                HealMode.ON,
                new ServerId("s", 1, 1),
                Optional.empty());
    }

    private static String folder(RegionInfo info, String family) {
        return "/hbase/data/ns/t/" + info.getEncodedName() + "/" + family;
    }

    private static String mobFolder(String family) {
        return MobFiles.folder(ROOT, TABLE, family).toUri().getPath();
    }

    private static String mob(RegionInfo startOf, RegionInfo writer) {
        return MobFileName.create(
                        startOf.getStartKey(), "20261121", "d46ec7d2da524a3f8b6dcd8cb0ce4b6b", writer.getEncodedName())
                .getFileName();
    }

    private void put(String folder, String... names) {
        folders.put(
                folder,
                Observed.known(
                        Arrays.stream(names).map(name -> file(folder, name)).toList()));
    }

    private static StoreFile file(String folder, String name) {
        return new StoreFile(folder + "/" + name, 3, false, true, List.of());
    }
}
