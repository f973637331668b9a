// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The regions to which replicas were moved in the last day, to ask the NameNode about them when a DataNode leaves or comes: one
 * that was dead brings its replicas back, and of those that are too many then the NameNode deletes which it likes, by preference
 * on racks that hold two. A server whose file is open goes on reporting the locality of before, for hours.
 *
 * <p>Asked for are the regions with a replica on the rack of that DataNode, since for one that dies the NameNode may put another
 * onto the rack of theirs, and those that had two on the rack of theirs; {@value #ASK_AFTER_MINUTES} and more minutes after the
 * change, since the NameNode acts once it has read the block report. It outlives the loop. Not thread-safe; used by the loop's
 * thread.
 */
public final class HealedRegions {

    static final long ASK_AFTER_MINUTES = 1;
    static final int KEPT = 20_000;

    private static final long DAY_MS = 86_400_000;
    private static final long MINUTE_MS = 60_000;
    private static final long[] RECHECK_MS = {ASK_AFTER_MINUTES * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS};

    /**
     * @param racks all that held a replica of a block that was moved, the host's own among them
     * @param sharesRack whether one of these replicas was on the host's own rack, beside that on the host
     */
    private record Healed(String host, Set<String> racks, boolean sharesRack, long atMs) {}

    private record Recheck(String rack, long dueMs) {}

    private final Map<EncodedRegionName, Healed> healedByRegion = new LinkedHashMap<>();
    private final List<Recheck> questions = new ArrayList<>();

    /** A move of a region was verified. */
    void healed(BlockMove move, long nowMs) {
        Healed before = healedByRegion.remove(move.region());
        DataNode target = move.target();
        Set<String> racks = move.proxies().stream()
                .filter(holder -> !holder.id().equals(move.source().id()))
                .map(DataNode::rack)
                .collect(Collectors.toCollection(HashSet::new));
        boolean sharesRack = !racks.add(target.rack());
        if (before != null && before.host().equals(target.host())) {
            racks.addAll(before.racks());
            sharesRack |= before.sharesRack();
        }
        healedByRegion.put(move.region(), new Healed(target.host(), racks, sharesRack, nowMs));
        if (healedByRegion.size() > KEPT) {
            healedByRegion.remove(healedByRegion.keySet().iterator().next());
        }
    }

    /** Whether there is anything that a DataNode's coming or going could undo. */
    boolean isEmpty(long nowMs) {
        for (Iterator<Healed> oldest = healedByRegion.values().iterator(); oldest.hasNext(); ) {
            if (nowMs - oldest.next().atMs() <= DAY_MS) {
                return false;
            }
            oldest.remove();
        }
        return true;
    }

    /** A DataNode has left or come. */
    void changed(DataNode node, long nowMs) {
        for (long afterMs : RECHECK_MS) {
            Recheck recheck = new Recheck(node.rack(), nowMs + afterMs);
            questions.removeIf(other ->
                    other.rack().equals(recheck.rack()) && Math.abs(other.dueMs() - recheck.dueMs()) < MINUTE_MS);
            questions.add(recheck);
        }
    }

    /** The regions to ask about now, with their hosts. */
    Map<EncodedRegionName, String> takeDue(long nowMs) {
        Map<EncodedRegionName, String> due = new HashMap<>();
        for (Iterator<Recheck> open = questions.iterator(); open.hasNext(); ) {
            Recheck recheck = open.next();
            if (recheck.dueMs() <= nowMs) {
                open.remove();
                healedByRegion.forEach((region, healed) -> {
                    if (nowMs - healed.atMs() <= DAY_MS
                            && (healed.sharesRack() || healed.racks().contains(recheck.rack()))) {
                        due.put(region, healed.host());
                    }
                });
            }
        }
        return due;
    }
}
