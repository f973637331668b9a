// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

import java.util.Comparator;

/**
 * One instance of a RegionServer: host, port and start code (milliseconds since 1970 at its start), HBase's
 * {@code ServerName} without HBase. A server that restarts is another {@code ServerId}. Immutable; ordered by host, port
 * and start code.
 */
public record ServerId(String host, int port, long startCode) implements Comparable<ServerId> {

    private static final Comparator<ServerId> ORDER = Comparator.comparing(ServerId::host)
            .thenComparingInt(ServerId::port)
            .thenComparingLong(ServerId::startCode);

    public ServerId {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("A server's host name must not be empty.");
        }
    }

    @Override
    public int compareTo(ServerId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return host + "," + port + "," + startCode;
    }
}
