// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import io.hearth.doctor.model.DataNodeMetrics.ListenDrops;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the kernel of this host says of listening sockets; unknown for an address of another host. Stateless; asks nobody. */
public final class HostKernel {

    private static final Path SOMAXCONN = Path.of("/proc/sys/net/core/somaxconn");
    private static final Path NETSTAT = Path.of("/proc/net/netstat");
    private static final String TCP = "TcpExt:";
    private static final String DROPS = "ListenDrops";

    /** It has some 5 KB. */
    private static final int MAX_BYTES = 1 << 16;

    private HostKernel() {}

    /** {@code net.core.somaxconn}, the most connections that may wait for a listening socket. */
    public static ProbeResult<Integer> somaxconn(String address) {
        try {
            if (isElsewhere(address)) {
                return ProbeResult.unknown("net.core.somaxconn can be read on the DataNode's own host alone" + " (cat "
                        + SOMAXCONN + "; Linux 5.4 and later have 4096, before it was 128)");
            }
            try (BufferedReader kernel = Files.newBufferedReader(SOMAXCONN)) {
                // At once: the kernel gives a value to the first read alone, of which Files.readString's has one byte.
                return ProbeResult.known(
                        Integer.valueOf(String.valueOf(kernel.readLine()).trim()));
            }
        } catch (IOException | NumberFormatException notLinux) {
            return ProbeResult.unknown("net.core.somaxconn can't be read here");
        }
    }

    /** The connections that were dropped since the host started. */
    public static ProbeResult<ListenDrops> listenDrops(String address) {
        try {
            if (isElsewhere(address)) {
                return ProbeResult.unknown(
                        "TcpExt ListenDrops can be read on the DataNode's own host alone (nstat -az)");
            }
            try (InputStream kernel = Files.newInputStream(NETSTAT)) {
                String text = new String(kernel.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII);
                return listenDrops(text.lines().toList())
                        .map(drops -> ProbeResult.known(new ListenDrops(drops, 0, 0)))
                        .orElseGet(() -> ProbeResult.unknown(NETSTAT + " has no TcpExt ListenDrops"));
            }
        } catch (IOException | NumberFormatException notLinux) {
            return ProbeResult.unknown(NETSTAT + " can't be read here");
        }
    }

    /**
     * The count in these lines, of which two each belong together: names, then their values.
     *
     * @throws NumberFormatException if it is no number
     */
    static Optional<Long> listenDrops(List<String> netstat) {
        List<String> tcp = netstat.stream().filter(line -> line.startsWith(TCP)).toList();
        if (tcp.size() != 2) {
            return Optional.empty();
        }
        int place = List.of(tcp.get(0).split(" ", -1)).indexOf(DROPS);
        List<String> values = List.of(tcp.get(1).split(" ", -1));
        return place < 0 || place >= values.size() ? Optional.empty() : Optional.of(Long.valueOf(values.get(place)));
    }

    private static boolean isElsewhere(String address) throws IOException {
        InetAddress host = InetAddress.getByName(address);
        return !host.isLoopbackAddress() && NetworkInterface.getByInetAddress(host) == null;
    }
}
