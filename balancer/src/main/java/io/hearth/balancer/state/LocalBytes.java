// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.state;

import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many of a region's store file bytes have a replica on which host. Immutable. {@link #UNKNOWN} is not "nothing is
 * local": of it no host's bytes can be told.
 *
 * <p>One is kept for each region. Most hosts of a large region have one or two whole blocks of it, so that many have as many bytes: each
 * number is then kept once, and a byte for each host says which it is.
 */
public final class LocalBytes {

    private static final byte[] ONE_EACH = {};

    /** Nobody has asked the NameNode yet, or it could not answer. */
    public static final LocalBytes UNKNOWN = new LocalBytes(-1, new String[0], new long[0]);

    /** As many as a byte can tell apart. */
    private static final int MOST_DIFFERENT = 256;

    private static final int REFERENCE_BYTES = 4;

    private final long totalBytes;
    private final String[] hosts;
    private final long[] bytes;
    /** The index in {@link #bytes} of each host's; {@link #ONE_EACH} where it is the host's own. */
    private final byte[] indexByHost;

    private LocalBytes(long totalBytes, String[] hosts, long[] bytesByHost) {
        this.totalBytes = totalBytes;
        this.hosts = hosts;
        long[] different = different(bytesByHost);
        boolean isShorter = (bytesByHost.length - different.length) * Long.BYTES > bytesByHost.length;
        if (isShorter && different.length <= MOST_DIFFERENT) {
            bytes = different;
            indexByHost = new byte[hosts.length];
            for (int host = 0; host < hosts.length; host++) {
                indexByHost[host] = (byte) Arrays.binarySearch(different, bytesByHost[host]);
            }
        } else {
            bytes = bytesByHost;
            indexByHost = ONE_EACH;
        }
    }

    /** Each of these numbers once, sorted. */
    private static long[] different(long[] numbers) {
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        int count = 0;
        for (int at = 0; at < sorted.length; at++) {
            if (at == 0 || sorted[at] != sorted[at - 1]) {
                sorted[count++] = sorted[at];
            }
        }
        return Arrays.copyOf(sorted, count);
    }

    /**
     * The local bytes of a region with this many bytes.
     *
     * @throws IllegalArgumentException if a host has less than nothing or more than everything
     */
    public static LocalBytes of(long totalBytes, Map<String, Long> bytesByHost) {
        SortedMap<String, Long> sorted = new TreeMap<>(bytesByHost);
        sorted.forEach((host, bytes) -> {
            if (bytes < 0 || bytes > totalBytes) {
                throw new IllegalArgumentException(host + " has " + bytes + " bytes of a region of " + totalBytes
                        + ": it must be 0 to all of them.");
            }
        });
        return new LocalBytes(
                totalBytes,
                sorted.keySet().toArray(String[]::new),
                sorted.values().stream().mapToLong(Long::longValue).toArray());
    }

    public boolean isKnown() {
        return totalBytes >= 0;
    }

    /** All bytes of the region's store files; empty where unknown. */
    public OptionalLong totalBytes() {
        return isKnown() ? OptionalLong.of(totalBytes) : OptionalLong.empty();
    }

    /** The bytes with a replica on this host, 0 for a host without any; empty where unknown. */
    public OptionalLong on(String host) {
        if (!isKnown()) {
            return OptionalLong.empty();
        }
        int index = indexOf(host);
        return OptionalLong.of(index < 0 ? 0 : bytes(index));
    }

    /** The bytes that a server on this host would read from elsewhere; empty where unknown. */
    public OptionalLong remoteFor(String host) {
        OptionalLong local = on(host);
        return local.isPresent() ? OptionalLong.of(totalBytes - local.getAsLong()) : OptionalLong.empty();
    }

    /** How many hosts have bytes; 0 where unknown. */
    public int hostCount() {
        return hosts.length;
    }

    /** The index of this host, below 0 where it has no bytes. */
    public int indexOf(String host) {
        return Arrays.binarySearch(hosts, host);
    }

    /** The host with this index, of those with bytes, in their order. */
    public String host(int index) {
        return hosts[index];
    }

    /** The bytes with a replica on the host with this index. */
    public long bytes(int index) {
        return bytes[indexByHost.length == 0 ? index : Byte.toUnsignedInt(indexByHost[index])];
    }

    /** Bytes of heap that the elements of its arrays take, with references of four bytes; names of hosts are left out. */
    public long heapBytes() {
        return (long) hosts.length * REFERENCE_BYTES + (long) bytes.length * Long.BYTES + indexByHost.length;
    }

    /** Every host with bytes, sorted, with how many; empty where unknown. */
    public SortedMap<String, Long> bytesByHost() {
        SortedMap<String, Long> all = new TreeMap<>();
        for (int index = 0; index < hosts.length; index++) {
            all.put(hosts[index], bytes(index));
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LocalBytes local
                && totalBytes == local.totalBytes
                && Arrays.equals(hosts, local.hosts)
                && Arrays.equals(bytes, local.bytes)
                && Arrays.equals(indexByHost, local.indexByHost);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(totalBytes) + Arrays.hashCode(hosts)) + Arrays.hashCode(bytes);
    }
}
