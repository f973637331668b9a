// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.chaos.ChaosCommand.SavedResults;
import io.hearth.chaos.ChaosRun.FaultResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedResultsTest {

    @TempDir
    private Path folder;

    private static FaultResult result(Fault fault, long seed, long errors) {
        return new FaultResult(fault, seed, 8, 2, 20, OptionalDouble.of(1.1), 1_000, errors, 2_500, 500, List.of());
    }

    @Test
    void whatOneRunKeepsAnotherFindsByFaultAndSeed() throws Exception {
        Path file = folder.resolve("stock.json");

        SavedResults.write(file, false, List.of(result(Fault.RACK_CUT, 2, 3)));
        SavedResults saved = SavedResults.read(file);

        assertThat(saved.hearth()).isFalse();
        assertThat(saved.of(result(Fault.RACK_CUT, 2, 0)))
                .contains(new SavedResults.SavedResult("rack-cut", 2, 3, 2_500));
        assertThat(saved.of(result(Fault.RACK_CUT, 1, 0))).isEmpty();
        assertThat(saved.of(result(Fault.DISK_FULL, 2, 0))).isEmpty();
    }

    @Test
    void aFileThatIsNoneIsOneLine() throws Exception {
        Path none = folder.resolve("none.json");
        assertThatThrownBy(() -> SavedResults.read(none))
                .isInstanceOf(IOException.class)
                .hasMessage(none + " is not there; bin/hearth chaos --out makes it");

        Path other = Files.writeString(folder.resolve("other.json"), "hello");
        assertThatThrownBy(() -> SavedResults.read(other))
                .isInstanceOf(IOException.class)
                .hasMessage(other + " was not made by bin/hearth chaos --out");
    }
}
