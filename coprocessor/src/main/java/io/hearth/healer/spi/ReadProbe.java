// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import java.util.List;

/** Reads that are always the same, to feel what readers feel: the master gets no read latency from RegionServers. */
@FunctionalInterface
public interface ReadProbe {

    /**
     * Has one more read made on another thread, and returns how long those took that came back since the last time, in
     * microseconds. Returns at once.
     */
    List<Long> takeLatenciesMicros();
}
