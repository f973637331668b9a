// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.healer.core.HealerServices.LiveDataNodes;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.verify.DataNodeHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The DataNodes as the NameNode last listed them, and how they have fared since. Not thread-safe. */
final class DataNodeTracker {

    /** A DataNode's state changes in 30 seconds at the earliest, when it becomes stale. */
    private static final long RECENT_MS = 10_000;

    private final LiveDataNodes nameNode;
    private final DataNodeHealth health = new DataNodeHealth();
    private Optional<DataNodes> last = Optional.empty();
    private List<DataNode> changed = new ArrayList<>();
    private long listedMs;

    DataNodeTracker(LiveDataNodes nameNode) {
        this.nameNode = nameNode;
    }

    /** The DataNodes as they were known some seconds ago. */
    Observed<DataNodes> recent(long nowMs) {
        return noOlderThan(RECENT_MS, nowMs);
    }

    /** The DataNodes as they were known so long ago at most; they are asked for where that is longer. */
    Observed<DataNodes> noOlderThan(long mostMs, long nowMs) {
        if (last.isPresent() && nowMs - listedMs < mostMs) {
            return Observed.known(last.get());
        }
        Observed<DataNodes> fresh = list();
        last = fresh.ifKnown();
        listedMs = nowMs;
        last.ifPresent(listed -> changed.addAll(health.take(listed, nowMs)));
        return fresh instanceof Observed.Gone<DataNodes> ? Observed.known(DataNodes.NONE) : fresh;
    }

    /** A list that can't be read is no fault of the region for whose sake it is asked for. */
    private Observed<DataNodes> list() {
        try {
            return nameNode.list();
        } catch (RuntimeException failure) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "the list of DataNodes: " + failure);
        }
    }

    /** How they have fared, by the last list. */
    DataNodeHealth health() {
        return health;
    }

    /** The DataNodes that have left or come since the last time. */
    List<DataNode> takeChanged() {
        List<DataNode> taken = changed;
        changed = new ArrayList<>();
        return taken;
    }
}
