// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.readers.StallingMoves.Count;
import io.hearth.bench.readers.StallingMoves.KnownBlock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StallingMovesTest {

    private static final int AGE_MS = 1_000;
    private static final Map<Long, KnownBlock> BLOCKS = Map.of(
            1L, new KnownBlock("f", Set.of("a", "b")),
            2L, new KnownBlock("f", Set.of("b", "c")),
            3L, new KnownBlock("f", Set.of("a", "c")),
            4L, new KnownBlock("g", Set.of("a", "b")));

    @Test
    void aReaderStallsWhereEveryHolderOfABlockHasJustGivenUpAReplicaOfTheFile() {
        assertThat(count(moved("00,000", 1, "a"), moved("00,999", 2, "b"))).isEqualTo(new Count(2, 1));
        assertThat(count(moved("00,000", 1, "a"), moved("01,000", 2, "b")))
                .as("the first is known by then")
                .isEqualTo(new Count(2, 0));
    }

    @Test
    void itLooksForABlockThatIsYetToMoveWhereItIs() {
        assertThat(count(moved("00,000", 1, "b"), moved("00,500", 2, "c"))).isEqualTo(new Count(2, 1));
        assertThat(count(moved("00,000", 1, "a"), moved("00,500", 2, "c")))
                .as("nothing else moves")
                .isEqualTo(new Count(2, 0));
        assertThat(count(moved("00,000", 1, "a"), moved("00,500", 2, "c"), moved("05,000", 3, "a")))
                .as("block 3 is on both until later")
                .isEqualTo(new Count(3, 1));
    }

    @Test
    void filesAreReadByThemselvesAndBlocksOfOthersDoNotCount() {
        assertThat(count(moved("00,000", 1, "a"), moved("00,100", 4, "b"))).isEqualTo(new Count(2, 0));
        assertThat(count(
                        moved("00,000", 1, "a"),
                        moved("00,100", 9, "b"),
                        "2026-11-29 10:00:00,200 INFO  [main] datanode.DataNode: Copied BP-1:blk_2_2 to /10.77.1.2:4",
                        "java.io.IOException: Moved BP-1:blk_2_2 from /10.77.1.2:4, delHint=b"))
                .isEqualTo(new Count(1, 0));
    }

    private static Count count(String... log) {
        return StallingMoves.count(List.of(log), BLOCKS, AGE_MS);
    }

    /** As Hadoop 3.4 has it, in the pattern of the process cluster's log. */
    private static String moved(String second, int block, String source) {
        return "2026-11-29 10:00:" + second
                + " INFO  [DataXceiver for client  at /10.77.3.11:44142 [Replacing block BP-1:blk_"
                + block + "_1 from " + source + "]] datanode.DataNode: Moved BP-1:blk_" + block
                + "_1 from /10.77.3.12:9866, delHint=" + source;
    }
}
