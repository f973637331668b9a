// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.datanode.cache.BlockKey.ReplicaVersion;
import io.hearth.datanode.cache.PageStore.PageFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexFileTest {

    @TempDir
    Path folder;

    private static List<CachedBlock> blocks(int count, Random random) {
        List<CachedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PageFile data = new PageFile(random.nextLong(), random.nextInt(1 << 30), 1 << 20);
            BitSet present = new BitSet();
            for (int page = 0; page < data.pages(); page++) {
                present.set(page, random.nextBoolean());
            }
            blocks.add(CachedBlock.restored(
                    new ReplicaVersion(
                            new BlockKey("BP-" + random.nextInt(3), random.nextLong()),
                            random.nextInt(10_000),
                            data.length()),
                    data,
                    new PageFile(random.nextLong(), random.nextInt(1 << 22), 1 << 20),
                    present));
        }
        return blocks;
    }

    private static String inWords(CachedBlock block) {
        return block.version() + " " + block.dataFile() + " " + block.metaFile() + " " + block.present();
    }

    @Test
    void whatIsWrittenIsReadInItsOrder() throws IOException {
        List<CachedBlock> blocks = blocks(500, new Random(17));
        new IndexFile(folder).write(blocks);

        List<CachedBlock> read = new IndexFile(folder).read();
        assertThat(read)
                .extracting(IndexFileTest::inWords)
                .isEqualTo(blocks.stream().map(IndexFileTest::inWords).toList());
        assertThat(read).allMatch(CachedBlock::isRestored);
    }

    @Test
    void theLastOneIsRead() throws IOException {
        IndexFile index = new IndexFile(folder);
        index.write(blocks(20, new Random(1)));
        index.write(blocks(3, new Random(2)));
        assertThat(index.read()).hasSize(3);
        index.write(List.of());
        assertThat(index.read()).isEmpty();
        assertThat(folder.resolve("index.tmp")).doesNotExist();
    }

    @Test
    void withoutAFileThereAreNoBlocks() throws IOException {
        IndexFile index = new IndexFile(folder);
        assertThat(index.read()).isEmpty();
        index.write(blocks(2, new Random(3)));
        index.delete();
        index.delete();
        assertThat(index.read()).isEmpty();
    }

    @Test
    void anyFlippedBitIsFound() throws IOException {
        IndexFile index = new IndexFile(folder);
        index.write(blocks(3, new Random(4)));
        byte[] bytes = Files.readAllBytes(folder.resolve("index"));
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Files.write(folder.resolve("index"), damaged);
            assertThatThrownBy(index::read).as("byte %s", at).isInstanceOf(IOException.class);
        }
        Files.write(folder.resolve("index"), bytes);
        assertThat(index.read()).hasSize(3);
    }

    @Test
    void aFileThatIsCutOffIsFound() throws IOException {
        IndexFile index = new IndexFile(folder);
        index.write(blocks(3, new Random(5)));
        byte[] bytes = Files.readAllBytes(folder.resolve("index"));
        for (int length = 0; length < bytes.length; length++) {
            Files.write(folder.resolve("index"), Arrays.copyOf(bytes, length));
            assertThatThrownBy(index::read).as("length %s", length).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatCannotBeIsSaid() throws IOException {
        Files.write(folder.resolve("index"), new byte[100]);
        assertThatThrownBy(() -> new IndexFile(folder).read())
                .isInstanceOf(IOException.class)
                .hasMessage(folder.resolve("index") + " is damaged");
    }
}
