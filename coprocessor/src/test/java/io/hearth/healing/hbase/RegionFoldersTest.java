package io.hearth.healing.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.model.HealRank;
import io.hearth.healing.model.RegionFiles;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.model.StoreFile;
import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RegionFoldersTest {

    private static final TableName TABLE = TableName.valueOf("ns", "t");
    private static final String REGION = "0123456789abcdef0123456789abcdef";
    private static final String OTHER_REGION = "fedcba9876543210fedcba9876543210";
    private static final String FOLDER = "/hbase/data/ns/t/" + REGION + "/";

    private final TableDescriptors descriptors = mock(TableDescriptors.class);
    private final Map<String, Observed<List<StoreFile>>> folders = new HashMap<>();
    private final RegionFolders regionFolders = new RegionFolders(
            path -> folders.getOrDefault(path, Observed.gone()), descriptors, new Path("hdfs://nn:8020/hbase"));

    @BeforeEach
    void aTableOfTwoFamilies() throws IOException {
        when(descriptors.get(TABLE))
                .thenReturn(TableDescriptorBuilder.newBuilder(TABLE)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("a"))
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
                        .build());
    }

    @Test
    void oneListingForEachFamily() {
        folders.put(FOLDER + "a", Observed.known(List.of(file("a", "0a1b"))));
        folders.put(FOLDER + "b", Observed.known(List.of(file("b", "2c3d"))));

        assertThat(list().ifKnown().orElseThrow().files())
                .extracting(StoreFile::path)
                .containsExactly(FOLDER + "a/0a1b", FOLDER + "b/2c3d");
    }

    @Test
    void referencesAndLinksAreKnownByTheirNames() {
        RegionFiles files = RegionFolders.sorted(List.of(
                file("a", "0a1b"),
                file("a", ".filelist"),
                file("a", "aa11." + OTHER_REGION),
                file("a", "ns=t=" + OTHER_REGION + "-bb22"),
                file("a", "ns=t=" + OTHER_REGION + "-cc33." + OTHER_REGION)));

        assertThat(files.files()).extracting(StoreFile::name).containsExactly("0a1b");
        assertThat(files.referenced()).isEqualTo(new TreeSet<>(List.of("aa11", "cc33")));
        assertThat(files.linked()).isEqualTo(new TreeSet<>(List.of("bb22")));
    }

    @Test
    void aFamilyThatWasJustDeletedIsPassedOver() {
        folders.put(FOLDER + "b", Observed.known(List.of(file("b", "2c3d"))));

        assertThat(list().ifKnown().orElseThrow().files()).hasSize(1);
    }

    @Test
    void aRegionWithoutFoldersIsGone() {
        assertThat(list()).isEqualTo(Observed.gone());
    }

    @Test
    void aTableWithoutDescriptorIsGone() throws IOException {
        when(descriptors.get(TABLE)).thenReturn(null);

        assertThat(list()).isEqualTo(Observed.gone());
    }

    @Test
    void whatTheNameNodeCanNotSayIsUnknown() {
        folders.put(FOLDER + "a", Observed.known(List.of(file("a", "0a1b"))));
        folders.put(FOLDER + "b", Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));

        assertThat(list()).isEqualTo(Observed.unknown(UnknownReason.NAMENODE_FAILED, "connection refused"));
    }

    private Observed<RegionFiles> list() {
        return regionFolders.list(new ServedRegion(
                new RegionId(REGION),
                new TableId("ns:t"),
                HealRank.USER,
                HealMode.ON,
                new ServerId("s", 1, 1),
                Optional.empty()));
    }

    private static StoreFile file(String family, String name) {
        return new StoreFile(FOLDER + family + "/" + name, 3, false, true, List.of());
    }
}
