// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

class HBaseIdsTest {

    /** A RegionServer says its name itself. */
    @Test
    void aServersNameBeginsNoLineOfALog() {
        ServerName server = mock(ServerName.class);
        when(server.getHostname()).thenReturn("host1\n2026-11-27 WARN forged\u001b[2J");

        assertThat(HBaseIds.serverId(server).host()).isEqualTo("host1?2026-11-27 WARN forged?[2J");
    }
}
