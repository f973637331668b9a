// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopScreenTest {

    @Test
    void theBusiestServerIsFirst() {
        assertThat(TopScreen.of(ClusterSummaryFixtures.hot(), "by Hearth", 200, 24))
                .containsExactly(
                        "22:13:20 UTC  3 servers, 30 regions  3,114 requests/s  by Hearth",
                        "locality 0.7500, 100.0 MB remote; healing on: 3 regions queued, 5 blocks in flight, 12.0 MB/s of at most 50.0 MB/s, held back by bandwidth of DataNodes, 9 s left, most for host1:16020 (90.0 MB)",
                        "",
                        "SERVER                   REGIONS   READS/s                WRITES/s                   NOW/s   LOCAL",
                        "host1:16020                   10     2,990 ######|#####>       4.0 ######|           3,100  1.0000",
                        "host2:16020                   10       9.9       |             4.2 ######|              14  0.5000",
                        "host3:16020                   10       0.0       |             4.2 ######|             0.0  1.0000",
                        "",
                        "HOTTEST REGIONS                  TABLE                SERVER                     READS/s  WRITES/s  SHARE   LOCAL  WHY IT IS THERE",
                        "1588230740aabbccddeeff0011223344 orders               host1:16020                  1,500       0.0   1.50  1.0000  it was moved here manually (ann)");
    }

    /** Broken (up to twelve lines whatever the height): a low terminal scrolls at every drawing. */
    @Test
    void itFitsTheScreen() {
        List<String> lines = TopScreen.of(ClusterSummaryFixtures.hot(), "by Hearth in the master somewhere", 60, 8);

        assertThat(lines).hasSize(8).allMatch(line -> line.length() <= 60);
        assertThat(lines.get(1)).isEqualTo("locality 0.7500, 100.0 MB remote; healing on: 3 regions que~");
    }

    @Test
    void anEmptyClusterIsAScreenToo() {
        assertThat(TopScreen.of(ClusterSummaryFixtures.stock(), "", 120, 40)).hasSize(6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "0; \"      |      \"",
                "0.5; \"###   |      \"",
                "1; \"######|      \"",
                "1.5; \"######|###   \"",
                "2; \"######|######\"",
                "7; \"######|#####>\""
            })
    void theMarkIsTheFairShare(double share, String bar) {
        assertThat(TopScreen.bar(share)).isEqualTo(bar);
    }
}
