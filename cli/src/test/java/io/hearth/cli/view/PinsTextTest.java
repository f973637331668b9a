package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PinsTextTest {

    @Test
    void aPinSaysWhoWhyAndUntilWhen() {
        assertThat(PinsText.of(List.of(ClusterSummaryFixtures.pin())))
                .containsExactly(
                        "1588230740aabbccddeeff0011223344 orders on host1,16020,7, since 2023-11-14 22:13 UTC, until"
                                + " 2023-11-15 22:13 UTC at the latest: it was moved here manually (ann)");
        assertThat(PinsText.of(List.of())).containsExactly("No region is pinned.");
    }
}
