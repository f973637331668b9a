// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.ReplicaMeta.Header;
import io.hearth.datanode.cache.ReplicaMeta.SumType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ReplicaMetaTest {

    private static byte[] block(int bytes) {
        byte[] block = new byte[bytes];
        new Random(bytes).nextBytes(block);
        return block;
    }

    private static ReplicaMeta meta(byte[] file, long blockLength) {
        Header header = Header.parse(ByteBuffer.wrap(file)).orElseThrow();
        ReplicaMeta.Builder builder = new ReplicaMeta.Builder(header, blockLength);
        builder.add(ByteBuffer.wrap(file));
        return builder.build();
    }

    static Stream<Arguments> kinds() {
        return Stream.of(SumType.values()).flatMap(type -> Stream.of(1, 7, 512, 1_000, 4_096, 65_536, 1 << 20)
                .map(chunkBytes -> Arguments.of(type, chunkBytes)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void dataOfEveryKindAreVerified(SumType type, int chunkBytes) {
        byte[] block = block(3 * chunkBytes + (chunkBytes + 1) / 2);
        byte[] file = MetaFiles.of(block, type, chunkBytes);
        ReplicaMeta meta = meta(file, block.length);
        assertThat(meta.length()).isEqualTo(file.length);

        int start = chunkBytes;
        assertThat(meta.sumPosition(start)).isEqualTo(7 + 4);
        ByteBuffer data = ByteBuffer.wrap(block, start, block.length - start);
        int sumBytes = meta.sumBytes(data.remaining());
        assertThat(7 + 4 + sumBytes).isEqualTo(file.length);
        ByteBuffer sums = ByteBuffer.wrap(file, 7 + 4, sumBytes);
        assertThat(meta.matches(data, sums)).isTrue();
        assertThat(data.remaining()).isEqualTo(block.length - start);

        for (int flipped : new int[] {start, block.length / 2 + 1, block.length - 1}) {
            block[flipped] ^= 0x20;
            assertThat(meta.matches(data, sums)).as("byte %s", flipped).isFalse();
            block[flipped] ^= 0x20;
        }
    }

    @Test
    void directBuffersAreVerifiedToo() {
        byte[] block = block(10_000);
        byte[] file = MetaFiles.of(block, SumType.CRC32C, 512);
        ByteBuffer data = ByteBuffer.allocateDirect(block.length).put(block).flip();

        assertThat(meta(file, block.length).matches(data, ByteBuffer.wrap(file, 7, file.length - 7)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 512", // NULL: there is nothing to verify by
        "1, 3, 512", // DEFAULT and MIXED are in no file
        "1, 4, 512",
        "0, 2, 512",
        "2, 2, 512",
        "1, 2, 0",
        "1, 2, -512",
        "1, 2, 8388609"
    })
    void whatCannotBeVerifiedIsNotCached(int version, int code, int chunkBytes) {
        assertThat(Header.parse(ByteBuffer.wrap(
                        MetaFiles.header(version, code, chunkBytes, 100).array())))
                .isEmpty();
    }

    @Test
    void aHeaderThatIsCutOffIsNone() {
        byte[] file = MetaFiles.of(block(10), SumType.CRC32, 512);
        assertThat(Header.parse(ByteBuffer.wrap(file, 0, 6))).isEmpty();
        assertThat(Header.parse(ByteBuffer.wrap(file, 0, 7))).contains(new Header(SumType.CRC32, 512));
    }

    @Test
    void pagesAreWholeNumbersOfChunks() {
        assertThat(new Header(SumType.CRC32C, 512).pageBytes(1 << 20)).isEqualTo(1 << 20);
        assertThat(new Header(SumType.CRC32C, 1_000).pageBytes(1 << 20)).isEqualTo(1_049_000);
        assertThat(new Header(SumType.CRC32C, 8 << 20).pageBytes(1 << 20)).isEqualTo(8 << 20);
    }

    @Test
    void theLengthOfTheFileFollowsFromTheBlocks() {
        Header header = new Header(SumType.CRC32C, 512);
        assertThat(header.metaLength(0)).isEqualTo(7);
        assertThat(header.metaLength(1)).isEqualTo(11);
        assertThat(header.metaLength(512)).isEqualTo(11);
        assertThat(header.metaLength(513)).isEqualTo(15);
        assertThat(header.metaLength(5L << 40)).isEqualTo(7 + (5L << 33));
    }

    /** Sixteen KiB of checksums are two MB of data. */
    @Test
    void everySliceOfTheFileIsVerified() {
        byte[] block = block(2_500_000);
        byte[] file = MetaFiles.of(block, SumType.CRC32C, 512);
        ReplicaMeta meta = meta(file, block.length);
        byte[] first = Arrays.copyOf(file, ReplicaMeta.SLICE_BYTES);
        byte[] second = Arrays.copyOfRange(file, ReplicaMeta.SLICE_BYTES, file.length);

        assertThat(meta.sliceLength(1)).isEqualTo(second.length);
        assertThat(meta.sliceMatches(0, first, first.length)).isTrue();
        assertThat(meta.sliceMatches(1, second, second.length)).isTrue();
        assertThat(meta.sliceMatches(1, second, second.length - 1)).isFalse();
        assertThat(meta.sliceMatches(1, first, second.length)).isFalse();
        second[second.length - 1] ^= 1;
        assertThat(meta.sliceMatches(1, second, second.length)).isFalse();
    }

    @Test
    void anotherMetaFileIsToldApart() {
        byte[] block = block(5_000);
        ReplicaMeta meta = meta(MetaFiles.of(block, SumType.CRC32C, 512), 5_000);
        assertThat(meta.isSameAs(meta(MetaFiles.of(block, SumType.CRC32C, 512), 5_000)))
                .isTrue();
        assertThat(meta.isSameAs(meta(MetaFiles.of(block, SumType.CRC32, 512), 5_000)))
                .isFalse();
        block[4_999]++;
        assertThat(meta.isSameAs(meta(MetaFiles.of(block, SumType.CRC32C, 512), 5_000)))
                .isFalse();
    }

    @Test
    void aFileThatIsNotWholeIsNotBuilt() {
        ReplicaMeta.Builder builder = new ReplicaMeta.Builder(new Header(SumType.CRC32C, 512), 5_000_000);
        builder.add(ByteBuffer.allocate(ReplicaMeta.SLICE_BYTES));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("1 slices of 3");
    }
}
