// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.hbase.StatePersister.StoreOpener;
import io.hearth.balancer.heat.HeatCodec;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.HeatSnapshot;
import io.hearth.balancer.heat.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** When what the last master knew can't be read; the test's hand turns the keeper, ten times a second as its thread does. */
class StatePersisterLoadTest {

    private static final long POLL_MS = 100;
    private static final String NOT_READ =
            "What the last master knew could not be read from .hearth under hbase.rootdir: ";
    private static final String AGAIN = NOT_READ + "it is tried again, and heat is learnt meanwhile.";
    private static final String GIVEN_UP =
            NOT_READ + "it is given up after 65 tries, and what this master knows takes its place.";

    @TempDir
    private java.nio.file.Path rootDir;

    private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();
    private final Logger log = mock(Logger.class);
    private final List<String> loaded = new ArrayList<>();
    private final StatePersister persister = new StatePersister(
            new HeatModel(HeatConfig.of(60_000, 10_000)), () -> 300_000, nowMs::get, failures::incrementAndGet, log);
    private boolean isReadable = true;
    private String unreadable = "state.none";
    private StateFileStore folder;

    @BeforeEach
    void setUp() throws IOException {
        FileSystem local = FileSystem.getLocal(new Configuration(false)).getRaw();
        FileSystem faulty = new FilterFileSystem(local) {
            @Override
            public FSDataInputStream open(Path path, int bufferSize) throws IOException {
                if (!isReadable || path.getName().equals(unreadable)) {
                    throw new IOException("Could not obtain block");
                }
                return super.open(path, bufferSize);
            }
        };
        folder = new StateFileStore(faulty, new Path(rootDir.toUri()));
        persister.section(
                "pins",
                () -> "little".getBytes(StandardCharsets.UTF_8),
                bytes -> loaded.add(new String(bytes, StandardCharsets.UTF_8)),
                bytes -> new String(bytes, StandardCharsets.UTF_8).startsWith("new "));
    }

    private StateFileStore open() {
        opened.incrementAndGet();
        return folder;
    }

    private void leave(String pins) throws IOException {
        folder.write(Map.of("pins", pins.getBytes(StandardCharsets.UTF_8)), Set.of(), nowMs.get());
    }

    private String left() throws IOException {
        boolean wasReadable = isReadable;
        isReadable = true;
        String pins = new String(folder.read((path, why) -> {}).orElseThrow().get("pins"), StandardCharsets.UTF_8);
        isReadable = wasReadable;
        return pins;
    }

    /** Turns the keeper for so long. */
    private void turn(StoreOpener opener, long forMs) {
        for (long passedMs = 0; passedMs < forMs; passedMs += POLL_MS) {
            persister.doWork(opener, true);
            nowMs.addAndGet(POLL_MS);
        }
    }

    private void turn(long forMs) {
        turn(this::open, forMs);
    }

    @Test
    void afterAFailureTheFolderIsOpenedAfterOneTwoFourSecondsAndThenOnceAMinute() {
        List<Long> atSeconds = new ArrayList<>();
        long startMs = nowMs.get();
        StoreOpener refused = () -> {
            atSeconds.add((nowMs.get() - startMs) / 1_000);
            throw new IOException("Permission denied: user=hbase");
        };
        turn(refused, 250_000);

        assertThat(atSeconds).containsExactly(0L, 1L, 3L, 7L, 15L, 31L, 63L, 123L, 183L, 243L);
        assertThat(failures).hasValue(10);
    }

    @Test
    void nothingIsSavedBeforeWhatIsThereWasRead() throws IOException {
        leave("much of yesterday");
        leave("much of today");
        isReadable = false;
        turn(3_000_000);
        assertThat(left()).as("after ten intervals").isEqualTo("much of today");
        persister.doWork(this::open, false);
        assertThat(left()).as("when the master stops").isEqualTo("much of today");
        assertThat(loaded).isEmpty();

        isReadable = true;
        turn(61_000);
        assertThat(loaded).containsExactly("much of today");
        assertThat(left()).as("as soon as it was read").isEqualTo("little");
        verify(log, never()).warn(eq("{}{}"), eq(GIVEN_UP), any(), any());
    }

    /** Its disks may be slower than a failover. */
    @Test
    void whatTheLastMasterIsStillWritingIsWaitedFor() throws IOException {
        leave("much of yesterday");
        java.nio.file.Path writing = beingWritten();
        turn(5_000);
        assertThat(loaded).isEmpty();
        assertThat(opened).as("once a second").hasValue(5);

        leave("much of today");
        Files.delete(writing);
        turn(1_100);
        assertThat(loaded).containsExactly("much of today");
        assertThat(failures).hasValue(0);
    }

    @Test
    void aMasterThatDiedWhileItWroteIsWaitedForHalfAMinute() throws IOException {
        leave("much of yesterday");
        beingWritten();
        turn(29_900);
        assertThat(loaded).isEmpty();
        turn(1_000);
        assertThat(loaded).containsExactly("much of yesterday");
    }

    @Test
    void aMasterThatDiedAnHourAgoIsNotWaitedFor() throws IOException {
        leave("much of yesterday");
        Files.setLastModifiedTime(beingWritten(), FileTime.fromMillis(nowMs.get() - 3_600_001));
        turn(100);
        assertThat(loaded).containsExactly("much of yesterday");
    }

    private java.nio.file.Path beingWritten() throws IOException {
        java.nio.file.Path writing = Files.writeString(rootDir.resolve(".hearth/writing.1"), "half");
        return Files.setLastModifiedTime(writing, FileTime.fromMillis(nowMs.get()));
    }

    @Test
    void anHourOfTriesIsTheEndOfThemWithOneLine() throws IOException {
        leave("much of today");
        isReadable = false;
        turn(3_540_000);
        assertThat(left()).isEqualTo("much of today");
        turn(600_000);

        assertThat(left()).isEqualTo("little");
        assertThat(failures).as("tries").hasValue(65);
        verify(log, times(1)).warn(eq("{}{}"), eq(GIVEN_UP), eq(""), any(IOException.class));
        isReadable = true;
        turn(90_000);
        assertThat(loaded).as("it is not tried again").isEmpty();
        assertThat(failures).hasValue(65);
    }

    @Test
    void aFileThatCanNeverBeUsedIsNotTriedAgain() throws IOException {
        leave("much of today");
        Files.writeString(rootDir.resolve(".hearth/state.0000000001"), "somebody else's");
        turn(10_000);

        assertThat(opened).hasValue(1);
        assertThat(failures).hasValue(0);
        verify(log, never()).warn(eq("{}{}"), eq(AGAIN), any(), any());
    }

    @Test
    void aClockThatIsSetBackByADayBringsTheNextTry() {
        StoreOpener refused = () -> {
            opened.incrementAndGet();
            throw new IOException("Permission denied: user=hbase");
        };
        turn(refused, 100_000);
        nowMs.addAndGet(-86_400_000);
        int before = opened.get();
        turn(refused, 70_000);

        assertThat(opened).hasValue(before + 2);
    }

    /** Their numbers are the highest that there are, so that nothing else would take their place soon. */
    @Test
    void whatANewerVersionHasWrittenIsUsedAsFarAsItIsKnownAndLeftAsItIs() throws IOException {
        byte[] newForm = StateFile.encode(Map.of("pins", "of another form".getBytes(StandardCharsets.UTF_8)));
        newForm[11]++;
        byte[] newSections = StateFile.encode(Map.of(
                "heat", newHeat(), "pins", "as ever".getBytes(StandardCharsets.UTF_8), "unheard of", new byte[] {1}));
        Files.createDirectories(rootDir.resolve(".hearth"));
        Files.write(rootDir.resolve(".hearth/state.0000000007"), newSections);
        Files.write(rootDir.resolve(".hearth/state.0000000008"), newForm);
        turn(3_600_000);

        assertThat(loaded).containsExactly("as ever");
        assertThat(left()).isEqualTo("little");
        assertThat(rootDir.resolve(".hearth/state.0000000007")).hasBinaryContent(newSections);
        assertThat(rootDir.resolve(".hearth/state.0000000008")).hasBinaryContent(newForm);
        assertThat(stateFiles()).hasSize(4);
        verify(log).warn(eq("{} is ignored: {}."), any(Object.class), eq((Object)
                "it was written by a newer version of Hearth"));
        verify(log)
                .warn(
                        "A newer version of Hearth has written {}: what this version knows of it is used, and it is left as it is.",
                        "state.0000000007, state.0000000008");
        verify(log).warn("The heat that the last master kept is of another version: it is learnt afresh.");
        assertThat(failures).hasValue(0);
    }

    /** Broken (which files are newer is asked once one was read): it is deleted by the second file that is written after the hour. */
    @Test
    void aFileOfANewerVersionStaysWhereTheOneBeforeItCanNeverBeRead() throws IOException {
        leave("of this version");
        byte[] newForm = StateFile.encode(Map.of("pins", "of another form".getBytes(StandardCharsets.UTF_8)));
        newForm[11]++;
        Files.write(rootDir.resolve(".hearth/state.0000000002"), newForm);
        unreadable = "state.0000000001";
        turn(3_540_000 + 600_000 + 900_000);

        assertThat(left()).as("what this master knows").isEqualTo("little");
        assertThat(rootDir.resolve(".hearth/state.0000000002")).hasBinaryContent(newForm);
        assertThat(stateFiles()).hasSize(3);
    }

    /** Broken (what the last try has found): where no DataNode answers then, nobody knows any more who wrote the file. */
    @Test
    void aFileOfANewerVersionStaysThoughTheLastTryCannotReadIt() throws IOException {
        leave("of this version");
        byte[] newForm = StateFile.encode(Map.of("pins", "of another form".getBytes(StandardCharsets.UTF_8)));
        newForm[11]++;
        Files.write(rootDir.resolve(".hearth/state.0000000002"), newForm);
        unreadable = "state.0000000001";
        turn(1_800_000);
        isReadable = false;
        turn(1_740_000 + 600_000 + 900_000);

        assertThat(left()).as("what this master knows").isEqualTo("little");
        assertThat(rootDir.resolve(".hearth/state.0000000002")).hasBinaryContent(newForm);
    }

    private byte[] newHeat() {
        byte[] heat = HeatCodec.encode(new HeatSnapshot(nowMs.get(), List.of()));
        heat[0]++;
        return heat;
    }

    private List<String> stateFiles() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(rootDir.resolve(".hearth"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("state\\.\\d+"))
                    .toList();
        }
    }

    @Test
    void aSectionOfALaterVersionIsEnoughForAFileToStay() throws IOException {
        leave("new pins");
        turn(3_600_000);

        assertThat(loaded).containsExactly("new pins");
        assertThat(stateFiles()).hasSize(3).contains("state.0000000001");
    }

    /** It would never be different another time. */
    @Test
    void heatThatCanNotBeUsedDoesNotKeepTheOtherSectionsFromBeingLoaded() throws IOException {
        doThrow(new IllegalStateException("no heat today")).when(log).info(anyString(), any(), any(), any());
        folder.write(
                Map.of(
                        "heat",
                        HeatCodec.encode(new HeatSnapshot(nowMs.get(), List.of())),
                        "pins",
                        "much".getBytes(StandardCharsets.UTF_8)),
                Set.of(),
                nowMs.get());
        turn(10_000);

        assertThat(loaded).containsExactly("much");
        assertThat(opened).hasValue(1);
        assertThat(failures).hasValue(1);
    }
}
