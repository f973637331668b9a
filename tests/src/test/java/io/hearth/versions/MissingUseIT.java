// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@link MissingUseTest} tries, without each of the classes, fields and methods. Broken (a hook of the observer refers to a method of
 * MasterHealer, which links that class outside of what is caught): an HBase without ServerListener ends the HMaster.
 */
@Tag("soak")
@Tag("computing")
class MissingUseIT {

    @Test
    void withoutAnyOneOfThemTheStockBalancerPlansAndNothingLeavesAHook() throws Exception {
        try (MasterWithoutOneUse master = new MasterWithoutOneUse()) {
            MissingUseTrials.Result result = master.tryWithoutOneIn(1);

            assertThat(result.wrong()).isEmpty();
            assertThat(result.missed()).as("what was reached and missed").hasSizeGreaterThan(150);
        }
    }

    @Test
    void withoutAnyOneOfThemADataNodeReadsAndDeletesAsWithHdfssOwnDataset(@TempDir Path folder) throws Exception {
        try (DataNodeWithoutOneUse dataNode = new DataNodeWithoutOneUse(folder)) {
            MissingUseTrials.Result result = dataNode.tryWithoutOneIn(1);

            assertThat(result.wrong()).isEmpty();
            assertThat(result.missed()).as("what was reached and missed").hasSizeGreaterThan(60);
        }
    }
}
