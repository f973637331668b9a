// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostKernelTest {

    @Test
    void theCountIsBelowItsName() {
        assertThat(HostKernel.listenDrops(List.of(
                        "TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPTimeouts",
                        "TcpExt: 0 11 12 300",
                        "IpExt: ListenDrops",
                        "IpExt: 99")))
                .contains(12L);
    }

    @Test
    void aKernelWithoutItHasNone() {
        assertThat(HostKernel.listenDrops(List.of())).isEmpty();
        assertThat(HostKernel.listenDrops(List.of("TcpExt: ListenDrops"))).isEmpty();
        assertThat(HostKernel.listenDrops(List.of("TcpExt: SyncookiesSent", "TcpExt: 1")))
                .isEmpty();
        assertThat(HostKernel.listenDrops(List.of("TcpExt: SyncookiesSent ListenDrops", "TcpExt: 1")))
                .isEmpty();
        assertThatThrownBy(() -> HostKernel.listenDrops(List.of("TcpExt: ListenDrops", "TcpExt: many")))
                .isInstanceOf(NumberFormatException.class);
    }

    /** A name that nobody has is no host of ours, and asks no resolver. */
    @Test
    void anotherHostsKernelIsNotRead() {
        assertThat(HostKernel.listenDrops("192.0.2.1").whyUnknown())
                .contains("TcpExt ListenDrops can be read on the DataNode's own host alone (nstat -az)");
        assertThat(HostKernel.somaxconn("192.0.2.1").whyUnknown().orElseThrow())
                .startsWith("net.core.somaxconn can be read on the DataNode's own host alone");
    }
}
