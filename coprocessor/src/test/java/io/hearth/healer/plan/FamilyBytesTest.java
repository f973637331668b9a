// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import static io.hearth.healer.fakes.Racks.block;
import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.StoreFile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FamilyBytesTest {

    @Test
    void theWorstFirstAndOnlyThoseWorthIt() {
        List<StoreFile> files = List.of(
                file("/hbase/data/default/t/r/half/1", "a1", "c1"),
                file("/hbase/data/default/t/r/all/1", "a1", "a1"),
                file("/hbase/data/default/t/r/all/2", "b1", "b1"),
                file("/hbase/data/default/t/r/little/1", "c1", "c1", "c1", "c1", "a1"),
                file("/hbase/data/default/t/r/none/1", "c1"),
                file("/hbase/data/default/t/r/empty/1"));

        assertThat(FamilyBytes.worst(files, "c1"))
                .containsExactly(new FamilyBytes("all", 400, 400), new FamilyBytes("half", 100, 200));
    }

    @Test
    void aQuarterIsWorthIt() {
        List<StoreFile> files = List.of(file("/hbase/data/default/t/r/quarter/1", "c1", "c1", "c1", "a1"));

        assertThat(FamilyBytes.worst(files, "c1")).containsExactly(new FamilyBytes("quarter", 100, 400));
    }

    /** A file whose blocks have a replica each, on these DataNodes. */
    private static StoreFile file(String path, String... holders) {
        List<BlockReplicas> blocks = new ArrayList<>();
        for (int number = 0; number < holders.length; number++) {
            blocks.add(block(number, holders[number]));
        }
        return new StoreFile(path, 1, false, true, blocks);
    }
}
