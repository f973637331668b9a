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
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** The DataNodes as the NameNode last listed them, and how they have fared since. Not thread-safe. */
final class DataNodeTracker {

    /** A DataNode's state changes in 30 seconds at the earliest, when it becomes stale. */
    private static final long RECENT_MS = 10_000;

    /** So many hosts are named in a line. */
    private static final int NAMED_HOSTS = 5;

    private static final long LOGGED_AGAIN_MS = 3_600_000;

    private final LiveDataNodes nameNode;
    private final Logger log;
    private final DataNodeHealth health = new DataNodeHealth();
    private Optional<DataNodes> last = Optional.empty();
    private List<DataNode> changed = new ArrayList<>();
    private Set<String> loggedWithoutRack = Set.of();
    private long loggedMs;
    private long listedMs;

    DataNodeTracker(LiveDataNodes nameNode, Logger log) {
        this.nameNode = nameNode;
        this.log = log;
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
        last.ifPresent(listed -> {
            changed.addAll(health.take(listed, nowMs));
            logWithoutRack(listed, nowMs);
        });
        return fresh instanceof Observed.Gone<DataNodes> ? Observed.known(DataNodes.NONE) : fresh;
    }

    /** Once an hour while there are others than those named; where all are without, the cluster has no racks. */
    private void logWithoutRack(DataNodes listed, long nowMs) {
        List<DataNode> without = listed.byId().values().stream()
                .filter(node -> node.rack().equals(DataNode.DEFAULT_RACK))
                .toList();
        Set<String> hosts = without.stream().map(DataNode::host).collect(Collectors.toCollection(TreeSet::new));
        if (without.size() == listed.byId().size()
                || loggedWithoutRack.containsAll(hosts)
                || (!loggedWithoutRack.isEmpty() && nowMs - loggedMs < LOGGED_AGAIN_MS)) {
            return;
        }
        loggedWithoutRack = hosts;
        loggedMs = nowMs;
        log.warn("DataNodes without a rack: " + without.size() + " of "
                + listed.byId().size() + " ("
                + hosts.stream().limit(NAMED_HOSTS).collect(Collectors.joining(", "))
                + (hosts.size() > NAMED_HOSTS ? ", ..." : "")
                + "). The NameNode's rack script (net.topology.script.file.name) says nothing of them; HDFS and healing"
                + " take " + DataNode.DEFAULT_RACK + " for one rack more. Mend the script and restart the NameNode.");
    }

    /** A list that can't be read is no fault of the region for whose sake it is asked for. */
    private Observed<DataNodes> list() {
        try {
            return nameNode.list();
        } catch (RuntimeException failure) {
            return Observed.unknown(UnknownReason.NAMENODE_FAILED, "the list of DataNodes: " + failure);
        }
    }

    /** The last list, however old; empty where there is none. */
    Optional<DataNodes> last() {
        return last;
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
