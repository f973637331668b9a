// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Hadoop's local file system, with faults between it and the folder. */
class StateFileStoreTest {

    private static final String OLDER = "state.0000000001";
    private static final String NEWEST = "state.0000000002";

    @TempDir
    private java.nio.file.Path rootDir;

    private final List<String> calls = new ArrayList<>();
    private final Map<String, String> whyByIgnored = new LinkedHashMap<>();
    private LocalFileSystem local;

    @BeforeEach
    void setUp() throws IOException {
        local = FileSystem.getLocal(new Configuration(false));
    }

    private StateFileStore folder(FileSystem fileSystem) {
        return new StateFileStore(fileSystem, new Path(rootDir.toUri()));
    }

    private void writeTwo(FileSystem fileSystem) throws IOException {
        write(folder(fileSystem), "yesterday");
        write(folder(fileSystem), "today");
    }

    private static void write(StateFileStore folder, String pins) throws IOException {
        folder.write(Map.of("pins", pins.getBytes(StandardCharsets.UTF_8)), Set.of(), 0);
    }

    private Optional<String> read(FileSystem fileSystem) throws IOException {
        return folder(fileSystem)
                .read((path, why) -> whyByIgnored.put(path.getName(), why))
                .map(sections -> new String(sections.get("pins"), StandardCharsets.UTF_8));
    }

    private java.nio.file.Path file(String name) {
        return rootDir.resolve(".hearth").resolve(name);
    }

    private List<String> names() throws IOException {
        try (Stream<java.nio.file.Path> files = Files.list(rootDir.resolve(".hearth"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Fails to open what the function has a failure for. */
    private FileSystem opening(Function<String, Optional<Exception>> failure) {
        return new FilterFileSystem(local.getRaw()) {
            @Override
            public FSDataInputStream open(Path path, int bufferSize) throws IOException {
                calls.add("open " + path.getName());
                Optional<Exception> fails = failure.apply(path.getName());
                if (fails.isPresent() && fails.get() instanceof IOException io) {
                    throw io;
                }
                if (fails.isPresent()) {
                    throw (RuntimeException) fails.get();
                }
                return super.open(path, bufferSize);
            }
        };
    }

    private static Function<String, Optional<Exception>> only(String name, Exception failure) {
        return opened -> opened.equals(name) ? Optional.of(failure) : Optional.empty();
    }

    @Test
    void ofAFileWithAMissingBlockTheOneBeforeIsUsed() throws IOException {
        writeTwo(local.getRaw());

        assertThat(read(opening(only(NEWEST, new IOException("Could not obtain block")))))
                .hasValue("yesterday");
        assertThat(whyByIgnored)
                .isEqualTo(Map.of(NEWEST, "it can't be read (java.io.IOException: Could not obtain block)"));
    }

    @Test
    void soItIsWhereTheFileSystemFailsOtherwise() throws IOException {
        writeTwo(local.getRaw());

        assertThat(read(opening(only(NEWEST, new IllegalStateException("Client is closed")))))
                .hasValue("yesterday");
    }

    @Test
    void ofAFileThatEndsBeforeItsLengthTheOneBeforeIsUsed() throws IOException {
        writeTwo(local.getRaw());
        FileSystem longer = new FilterFileSystem(local.getRaw()) {
            @Override
            public FileStatus getFileStatus(Path path) throws IOException {
                FileStatus status = super.getFileStatus(path);
                return path.getName().equals(NEWEST)
                        ? new FileStatus(status.getLen() + 1, false, 1, 1, 0, path)
                        : status;
            }
        };

        assertThat(read(longer)).hasValue("yesterday");
        assertThat(whyByIgnored.get(NEWEST)).contains(EOFException.class.getName());
    }

    /** Hadoop's own checksum, as HDFS has one, speaks before ours can. */
    @Test
    void ofAFileWhoseChecksumIsWrongTheOneBeforeIsUsed() throws IOException {
        writeTwo(local);
        byte[] bytes = Files.readAllBytes(file(NEWEST));
        bytes[bytes.length / 2] ^= 1;
        Files.write(file(NEWEST), bytes);

        assertThat(read(local)).hasValue("yesterday");
        assertThat(whyByIgnored.get(NEWEST)).contains("org.apache.hadoop.fs.ChecksumException");
    }

    @Test
    void whereNoFileCanBeReadNothingIsSaidToBeThere() throws IOException {
        writeTwo(local.getRaw());

        assertThatThrownBy(() -> read(opening(name -> Optional.of(new IOException("no DataNode has " + name)))))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith(NEWEST + " can't be read")
                .hasRootCauseMessage("no DataNode has " + NEWEST);
        assertThat(whyByIgnored).as("it is tried again").isEmpty();
    }

    /** The one that can't be read now may be whole. */
    @Test
    void aTornOlderFileIsNoReasonToGiveUpTheNewestOne() throws IOException {
        writeTwo(local.getRaw());
        Files.write(file(OLDER), new byte[3]);

        assertThatThrownBy(() -> read(opening(only(NEWEST, new IOException("Could not obtain block")))))
                .isInstanceOf(IOException.class);
    }

    @Test
    void whereNoFileCanEverBeUsedThereIsNothing() throws IOException {
        writeTwo(local.getRaw());
        Files.write(file(OLDER), new byte[3]);
        Files.write(file(NEWEST), "somebody else's".getBytes(StandardCharsets.UTF_8));

        assertThat(read(local.getRaw())).isEmpty();
        assertThat(whyByIgnored)
                .isEqualTo(Map.of(NEWEST, "it is not a file of Hearth", OLDER, "it is cut off or damaged"));
    }

    @Test
    void aFileThatIsTooLargeIsNotOpened() throws IOException {
        writeTwo(local.getRaw());
        try (RandomAccessFile large = new RandomAccessFile(file(NEWEST).toFile(), "rw")) {
            large.setLength(StateFileStore.MOST_BYTES + 1);
        }

        assertThat(read(opening(name -> Optional.empty()))).hasValue("yesterday");
        assertThat(calls).containsExactly("open " + OLDER);
        assertThat(whyByIgnored).isEqualTo(Map.of(NEWEST, "it is larger than a state file may be"));
    }

    /** Says what happens in which order; its streams know hsync or not, and fail at it or not. */
    private FileSystem syncing(boolean knowsHsync, boolean fails) {
        return new FilterFileSystem(local.getRaw()) {
            @Override
            public FSDataOutputStream create(Path path, boolean overwrite) throws IOException {
                return new FSDataOutputStream(new SyncedStream(super.create(path, overwrite)), null);
            }

            @Override
            public boolean rename(Path from, Path to) throws IOException {
                calls.add("rename to " + to.getName());
                return super.rename(from, to);
            }

            final class SyncedStream extends FilterOutputStream implements Syncable, StreamCapabilities {

                SyncedStream(OutputStream out) {
                    super(out);
                }

                @Override
                public void close() throws IOException {
                    calls.add("close");
                    super.close();
                }

                @Override
                public void hflush() {
                    calls.add("hflush");
                }

                @Override
                public void hsync() throws IOException {
                    calls.add("hsync");
                    if (!knowsHsync) {
                        throw new UnsupportedOperationException("streams of an object store are not Syncable");
                    }
                    if (fails) {
                        throw new IOException("All datanodes are bad");
                    }
                }

                @Override
                public boolean hasCapability(String capability) {
                    return knowsHsync && capability.equals(StreamCapabilities.HSYNC);
                }
            }
        };
    }

    @Test
    void theBytesAreOnTheDisksBeforeTheFileHasItsName() throws IOException {
        write(folder(syncing(true, false)), "today");

        assertThat(calls).containsExactly("hsync", "close", "rename to " + OLDER);
        assertThat(read(local.getRaw())).hasValue("today");
    }

    @Test
    void whatDidNotReachTheDisksTakesNobodysPlace() throws IOException {
        writeTwo(local.getRaw());

        assertThatThrownBy(() -> write(folder(syncing(true, true)), "tomorrow")).hasMessage("All datanodes are bad");
        assertThat(names()).containsExactly(OLDER, NEWEST);
    }

    @Test
    void aFileSystemWithoutHsyncIsNotAskedForIt() throws IOException {
        write(folder(syncing(false, false)), "today");

        assertThat(calls).containsExactly("close", "rename to " + OLDER);
        assertThat(read(local.getRaw())).hasValue("today");
    }
}
