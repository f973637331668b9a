// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFileTest {

    private static final SegmentFile.Opener OPENER =
            file -> FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);

    @TempDir
    private Path folder;

    private Path file;
    private final List<String> records = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    @BeforeEach
    void nameIt() {
        file = folder.resolve("x.slo");
    }

    @Test
    void whatWasAddedIsReadInOrderWithItsEnds() throws IOException {
        try (SegmentFile segment = append()) {
            segment.add(bytes("one"));
            segment.add(bytes("two"));
        }
        try (SegmentFile segment = append()) {
            segment.add(bytes("three"));
        }
        records.clear();

        assertThat(read()).isEqualTo(Files.size(file));
        assertThat(records).containsExactly("one@19", "two@30", "three@43");
        assertThat(problems).isEmpty();
    }

    /** Cut at every byte of the last record, as whoever dies while writing leaves it. */
    @Test
    void aTornEndIsCutOffAndTheRestIsKept() throws IOException {
        try (SegmentFile segment = append()) {
            segment.add(bytes("first"));
        }
        int whole = (int) Files.size(file);
        try (SegmentFile segment = append()) {
            segment.add(bytes("the last one"));
        }
        byte[] all = Files.readAllBytes(file);
        for (int length = whole; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            records.clear();
            problems.clear();

            assertThat(read()).as("length %d", length).isEqualTo(whole);
            assertThat(problems)
                    .as("a reader says nothing: somebody may be writing")
                    .isEmpty();
            try (SegmentFile segment = append()) {
                segment.add(bytes("next"));
            }

            if (length == whole) {
                assertThat(problems).isEmpty();
            } else {
                assertThat(problems)
                        .containsExactly(file + ": the last " + (length - whole)
                                + " bytes were cut off, a record that was not written whole (kill -9, or a full disk)");
            }
            records.clear();
            read();
            assertThat(records).as("length %d", length).hasSize(2).last().isEqualTo("next@" + Files.size(file));
        }
    }

    @Test
    void aTornHeaderIsWrittenAgain() throws IOException {
        for (int length = 0; length < SegmentFile.HEADER_BYTES; length++) {
            Files.write(file, Arrays.copyOf(new byte[] {'H', 'S', 'L', 'O', 0, 0, 0, 1}, length));
            try (SegmentFile segment = append()) {
                segment.add(bytes("one"));
            }
            records.clear();
            read();
            assertThat(records).as("length %d", length).containsExactly("one@19");
        }
    }

    /** A file system may have made the file longer before it wrote what belongs there. */
    @Test
    void zerosBehindTheLastRecordAreCutOff() throws IOException {
        try (SegmentFile segment = append()) {
            segment.add(bytes("one"));
        }
        Files.write(file, new byte[4096], StandardOpenOption.APPEND);
        append().close();

        assertThat(Files.size(file)).isEqualTo(19);
        assertThat(problems)
                .containsExactly(file + ": the last 4096 bytes were cut off, a record that was not written whole"
                        + " (kill -9, or a full disk)");
    }

    @Test
    void aDamagedRecordBetweenWholeOnesIsLeftOutAlone() throws IOException {
        try (SegmentFile segment = append()) {
            segment.add(bytes("one"));
            segment.add(bytes("two"));
            segment.add(bytes("three"));
        }
        byte[] all = Files.readAllBytes(file);
        all[19 + SegmentFile.FRAME_BYTES] ^= 1;
        Files.write(file, all);
        records.clear();
        append().close();

        assertThat(records).containsExactly("one@19", "three@43");
        assertThat(Files.size(file)).isEqualTo(43);
        assertThat(problems).containsExactly(file + ": the record at byte 19 is damaged and left out");
    }

    @Test
    void aRecordThatMakesNoSenseIsLeftOutAlone() throws IOException {
        try (SegmentFile segment = append()) {
            segment.add(bytes("one"));
            segment.add(bytes("two"));
        }
        records.clear();
        SegmentFile.read(
                file,
                (payload, end) -> {
                    if (end == 19) {
                        throw new IOException("names are missing before it");
                    }
                    take(payload, end);
                },
                problems::add);

        assertThat(records).containsExactly("two@30");
        assertThat(problems).containsExactly(file + ": the record at byte 8 is left out: names are missing before it");
    }

    @Test
    void aFileOfAnotherFormatIsLeftAlone() throws IOException {
        byte[] other = {'H', 'S', 'L', 'O', 0, 0, 0, 2, 1, 2, 3};
        Files.write(file, other);

        assertThatThrownBy(this::append)
                .isInstanceOf(SegmentFile.OtherFormatException.class)
                .hasMessage(file + " has format 2 of another version of Hearth; this one reads 1."
                        + " It is left out and left alone.");
        assertThat(file).hasBinaryContent(other);
    }

    private SegmentFile append() throws IOException {
        return SegmentFile.append(file, OPENER, this::take, problems::add);
    }

    private long read() throws IOException {
        return SegmentFile.read(file, this::take, problems::add);
    }

    private void take(ByteBuffer payload, long end) {
        records.add(StandardCharsets.UTF_8.decode(payload) + "@" + end);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
