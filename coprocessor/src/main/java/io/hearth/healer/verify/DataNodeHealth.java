// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.Volume;
import io.hearth.healer.model.DataNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Since when each DataNode is well, by the NameNode's lists of them one after the other. A DataNode is in trouble while it is not
 * listed, or is listed as stale or leaving, and at the moment at which a volume that it had fails or is gone; where volumes are
 * not listed, a capacity that shrinks says so. What HDFS does with replicas after that is its own repair. Not thread-safe.
 */
public final class DataNodeHealth {

    private static final long FORGET_MS = 86_400_000;

    /**
     * What is known of a DataNode.
     *
     * @param node as it was listed last
     * @param serves whether it was listed the last time, and not as leaving
     * @param lastUnhealthyMs when it was last in trouble or came; {@code Long.MIN_VALUE} if neither was seen
     */
    private record Known(DataNode node, boolean serves, long lastUnhealthyMs) {}

    private final Map<DataNode.Id, Known> knownById = new HashMap<>();

    /** Takes in a whole list; returns the DataNodes that have left or come since the one before. */
    public List<DataNode> take(DataNodes listed, long nowMs) {
        boolean isFirst = knownById.isEmpty();
        List<DataNode> changed = new ArrayList<>();
        for (DataNode node : listed.byId().values()) {
            Known before = knownById.get(node.id());
            boolean serves = node.state() != ServiceState.NOT_IN_SERVICE;
            if (before == null ? !isFirst && serves : before.serves() != serves) {
                changed.add(node);
            }
            knownById.put(node.id(), new Known(node, serves, lastUnhealthyMs(before, node, isFirst, nowMs)));
        }
        knownById.replaceAll((id, known) -> {
            if (listed.byId().containsKey(id)) {
                return known;
            }
            if (known.serves()) {
                changed.add(known.node());
            }
            return new Known(known.node(), false, known.serves() ? nowMs : known.lastUnhealthyMs());
        });
        knownById
                .entrySet()
                .removeIf(entry -> !listed.byId().containsKey(entry.getKey())
                        && nowMs - entry.getValue().lastUnhealthyMs() > FORGET_MS);
        return changed;
    }

    /** Whether this DataNode and its volumes are known to have been well from then until the last list. */
    public boolean isHealthySince(DataNode.Id id, long sinceMs) {
        Known known = knownById.get(id);
        return known != null
                && known.serves()
                && known.node().state() == ServiceState.IN_SERVICE
                && (!known.node().volumes().isEmpty()
                        || known.node().capacityBytes().isPresent())
                && known.lastUnhealthyMs() < sinceMs;
    }

    /** A DataNode that the first list had not may have been dead for long, and have come back. */
    private static long lastUnhealthyMs(@Nullable Known before, DataNode now, boolean isFirst, long nowMs) {
        if (now.state() != ServiceState.IN_SERVICE || (before != null && hasLostVolume(before.node(), now))) {
            return nowMs;
        }
        if (before == null) {
            return isFirst ? Long.MIN_VALUE : nowMs;
        }
        return before.serves() ? before.lastUnhealthyMs() : nowMs;
    }

    private static boolean hasLostVolume(DataNode before, DataNode now) {
        if (before.volumes().isEmpty() || now.volumes().isEmpty()) {
            return before.capacityBytes().isPresent()
                    && now.capacityBytes().isPresent()
                    && now.capacityBytes().getAsLong() < before.capacityBytes().getAsLong();
        }
        return !healthyIds(now).containsAll(healthyIds(before));
    }

    private static Set<String> healthyIds(DataNode node) {
        return node.volumes().stream().filter(Volume::healthy).map(Volume::id).collect(Collectors.toUnmodifiableSet());
    }
}
