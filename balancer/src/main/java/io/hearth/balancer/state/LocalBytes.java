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
 */
public final class LocalBytes {

    /** Nobody has asked the NameNode yet, or it could not answer. */
    public static final LocalBytes UNKNOWN = new LocalBytes(-1, new String[0], new long[0]);

    private final long totalBytes;
    private final String[] hosts;
    private final long[] bytesByHost;

    private LocalBytes(long totalBytes, String[] hosts, long[] bytesByHost) {
        this.totalBytes = totalBytes;
        this.hosts = hosts;
        this.bytesByHost = bytesByHost;
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
        return OptionalLong.of(index < 0 ? 0 : bytesByHost[index]);
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
        return bytesByHost[index];
    }

    /** Every host with bytes, sorted, with how many; empty where unknown. */
    public SortedMap<String, Long> bytesByHost() {
        SortedMap<String, Long> all = new TreeMap<>();
        for (int index = 0; index < hosts.length; index++) {
            all.put(hosts[index], bytesByHost[index]);
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LocalBytes local
                && totalBytes == local.totalBytes
                && Arrays.equals(hosts, local.hosts)
                && Arrays.equals(bytesByHost, local.bytesByHost);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(totalBytes) + Arrays.hashCode(hosts)) + Arrays.hashCode(bytesByHost);
    }
}
