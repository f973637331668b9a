// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.RegionHeat.Known;
import io.hearth.balancer.heat.RegionHeat.Reason;
import io.hearth.balancer.heat.RegionHeat.Unknown;
import io.hearth.balancer.heat.ingest.ServerReport;
import io.hearth.balancer.heat.ingest.ServerReport.RegionReport;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** On Hadoop's local file system; start and close alone make a load and a last write. */
class StatePersisterTest {

    private static final EncodedRegionName REGION = new EncodedRegionName("0123456789abcdef0123456789abcdef");
    private static final ServerId SERVER = new ServerId("a", 1, 1);

    @TempDir
    private Path rootDir;

    private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    private final AtomicInteger failures = new AtomicInteger();
    private final Logger log = mock(Logger.class);
    private final Configuration master = new Configuration(false);
    private long intervalMs = 300_000;

    @BeforeEach
    void setUp() {
        master.set("hbase.rootdir", rootDir.toUri().toString());
    }

    private StatePersister persister(HeatModel heat) {
        return new StatePersister(heat, () -> intervalMs, nowMs::get, failures::incrementAndGet, log);
    }

    private static HeatModel newModel() {
        return new HeatModel(HeatConfig.of(60_000, 10_000));
    }

    private void report(HeatModel heat, long reads) {
        RegionReport region = new RegionReport(REGION, new TableId("t"), reads, 0, 0);
        heat.update(List.of(new ServerReport(SERVER, nowMs.get(), List.of(region))), nowMs.get());
    }

    /** A model that has seen ten reads a second for a minute. */
    private HeatModel modelWithHeat() {
        HeatModel heat = newModel();
        report(heat, 0);
        nowMs.addAndGet(60_000);
        report(heat, 600);
        return heat;
    }

    private void keep(HeatModel heat) {
        StatePersister persister = persister(heat);
        persister.start(master, () -> false);
        persister.close();
    }

    private List<Path> files() throws IOException {
        Path folder = rootDir.resolve(".hearth");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().endsWith(".crc"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theNextMasterKnowsAtTheFirstReport() throws IOException {
        keep(modelWithHeat());
        assertThat(files()).extracting(file -> file.getFileName().toString()).containsExactly("state.0000000001");
        nowMs.addAndGet(30_000);
        HeatModel next = newModel();
        keep(next);

        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NOT_REPORTED_SINCE_RESTORE));
        report(next, 1_000_000);
        assertThat(next.heat(REGION)).isInstanceOfSatisfying(Known.class, known -> assertThat(
                        known.load().get(LoadDimension.READS))
                .isEqualTo(10));
        verify(log).info(eq("The heat of {} regions from {} s ago {}."), eq(1), eq(30L), eq("was restored"));
        assertThat(failures).hasValue(0);
    }

    @Test
    void whatIsOldIsLearntAfresh() {
        keep(modelWithHeat());
        nowMs.addAndGet(6 * 60_000);
        HeatModel next = newModel();
        keep(next);

        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        verify(log)
                .info(
                        eq("The heat of {} regions from {} s ago {}."),
                        eq(1),
                        eq(360L),
                        eq("is too old: it is learnt afresh"));
    }

    @Test
    void ofATornFileTheOneBeforeIsUsed() throws IOException {
        keep(modelWithHeat());
        keep(modelWithHeat());
        Path newest = files().get(1);
        byte[] whole = Files.readAllBytes(newest);
        put(newest, Arrays.copyOf(whole, whole.length - 7));
        HeatModel next = newModel();
        intervalMs = 0;
        keep(next);

        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NOT_REPORTED_SINCE_RESTORE));
        verify(log, times(1)).warn(eq("{} is ignored: {}."), any(Object.class), eq("it is cut off or damaged"));
    }

    @Test
    void aForeignFileIsIgnoredWithOneLine() throws IOException {
        keep(modelWithHeat());
        put(files().get(0), "not ours at all".getBytes(StandardCharsets.UTF_8));
        HeatModel next = newModel();
        keep(next);

        assertThat(next.heat(REGION)).isEqualTo(new Unknown(Reason.NEVER_REPORTED));
        verify(log, times(1)).warn(eq("{} is ignored: {}."), any(Object.class), eq("it is not a file of Hearth"));
        assertThat(failures).hasValue(0);
    }

    /** Writes behind Hadoop's back, without its checksum beside it. */
    private static void put(Path file, byte[] bytes) throws IOException {
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        Files.write(file, bytes);
    }

    @Test
    void onlyTheLastTwoFilesAreKept() throws IOException {
        for (int master = 0; master < 5; master++) {
            keep(modelWithHeat());
        }

        assertThat(files())
                .extracting(file -> file.getFileName().toString())
                .containsExactly("state.0000000004", "state.0000000005");
    }

    @Test
    void whatAMasterLeftBehindIsCleanedUpInTime() throws IOException {
        Files.createDirectory(rootDir.resolve(".hearth"));
        Path left = Files.writeString(rootDir.resolve(".hearth/writing.1"), "half");
        nowMs.set(Files.getLastModifiedTime(left).toMillis() + 3_600_001);
        keep(newModel());

        assertThat(files()).extracting(file -> file.getFileName().toString()).containsExactly("state.0000000001");
    }

    @Test
    void aMasterThatStopsWritesOnce() throws IOException {
        StatePersister persister = persister(modelWithHeat());
        persister.start(master, () -> true);
        persister.close();

        assertThat(files()).hasSize(1);
    }

    @Test
    void anIntervalOfNothingWritesNothing() throws IOException {
        intervalMs = 0;
        keep(modelWithHeat());

        assertThat(files()).isEmpty();
    }

    @Test
    void keepsOtherThingsInTheSameFile() {
        StatePersister first = persister(newModel());
        first.section("pins", () -> new byte[] {1, 2}, bytes -> {}, bytes -> false);
        first.section("broken", StatePersisterTest::fail, bytes -> {}, bytes -> false);
        first.start(master, () -> false);
        first.close();
        List<byte[]> loaded = new ArrayList<>();
        StatePersister second = persister(newModel());
        Consumer<byte[]> load = loaded::add;
        second.section("pins", () -> new byte[0], load, bytes -> false);
        second.start(master, () -> false);
        second.close();

        assertThat(loaded).containsExactly(new byte[] {1, 2});
        assertThat(failures).hasValue(1);
    }

    private static byte[] fail() {
        throw new IllegalStateException("no pins today");
    }

    @Test
    void aSectionThatComesTooLateIsRefused() {
        StatePersister persister = persister(newModel());
        persister.start(master, () -> false);

        assertThatThrownBy(() -> persister.section("pins", () -> new byte[0], bytes -> {}, bytes -> false))
                .hasMessage("The section pins came too late, or is heat's own.");
        persister.close();
    }

    @Test
    void aFileSystemThatFailsIsCountedAndNothingElse() throws IOException {
        StatePersister persister = persister(modelWithHeat());
        persister.start(
                () -> {
                    throw new IOException("the NameNode is in safe mode");
                },
                () -> false);
        persister.close();

        assertThat(failures.get()).isGreaterThanOrEqualTo(1);
        assertThat(files()).isEmpty();
        verify(log, never()).info(anyString(), any(), any(), any());
    }

    @Test
    void ofTwoMastersAtOnceEachFileIsOneOfTheirs() throws IOException {
        org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(rootDir.toUri());
        StateFileStore one = new StateFileStore(root.getFileSystem(master), root);
        StateFileStore other = new StateFileStore(root.getFileSystem(master), root);
        for (byte turn = 0; turn < 5; turn++) {
            one.write(Map.of("master", new byte[] {1, turn}), Set.of(), nowMs.get());
            other.write(Map.of("master", new byte[] {2, turn}), Set.of(), nowMs.get());
        }

        assertThat(one.read((path, reason) -> {})).hasValueSatisfying(sections -> assertThat(sections.get("master"))
                .isEqualTo(new byte[] {2, 4}));
        assertThat(files()).hasSize(2);
    }
}
