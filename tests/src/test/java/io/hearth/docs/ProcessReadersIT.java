package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.procs.Network;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers on a cluster of processes while Hearth's healer moves every block under them, by the command that a person types. */
@Tag("soak")
@Tag("alone")
class ProcessReadersIT {

    @TempDir
    private Path temp;

    @Test
    void readersNoticeNothingAndTheRegionServerReadsLocallyInTheEnd() throws Exception {
        FrontDoor.Result result = FrontDoor.run(
                temp,
                Map.of("TMPDIR", temp.toString()),
                8,
                "bench",
                "readers",
                "--processes",
                "--quick",
                "--setup",
                "OURS");

        // Where the hosts can have no network of their own, that is one line.
        boolean canRun = Network.whyNoNamespaces().isEmpty();
        assertThat(result.output())
                .contains(canRun ? "All bars hold." : "--processes needs network namespaces")
                .doesNotContain(canRun ? "needs network namespaces" : "All bars hold.");
        assertThat(result.exitCode()).as(result.output()).isEqualTo(canRun ? 0 : 2);
        assertThat(temp).isEmptyDirectory();
    }
}
