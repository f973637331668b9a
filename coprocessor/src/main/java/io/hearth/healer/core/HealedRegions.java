// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.model.BlockMove;
import io.hearth.healer.model.DataNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The regions to which replicas were moved in the last day, to ask the NameNode about them when a DataNode leaves or comes: one
 * that was dead brings its replicas back, and of those that are too many then the NameNode deletes which it likes, by preference
 * on racks that hold two. A server whose file is open goes on reporting the locality of before, for hours.
 *
 * <p>Asked for are the regions whose DataNode is on the same rack, and those that had a second replica on the rack of theirs;
 * {@value #ASK_AFTER_MINUTES} and more minutes after the change, since the NameNode acts once it has read the block report. It
 * outlives the loop. Not thread-safe; used by the loop's thread.
 */
public final class HealedRegions {

    static final long ASK_AFTER_MINUTES = 1;
    static final int KEPT = 20_000;

    private static final long DAY_MS = 86_400_000;
    private static final long MINUTE_MS = 60_000;
    private static final long[] RECHECK_MS = {ASK_AFTER_MINUTES * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS};

    private record Healed(String host, String rack, boolean sharesRack, long atMs) {}

    private record Recheck(String rack, long dueMs) {}

    private final Map<EncodedRegionName, Healed> healedByRegion = new LinkedHashMap<>();
    private final List<Recheck> questions = new ArrayList<>();

    /** A move of a region was verified. */
    void healed(BlockMove move, long nowMs) {
        Healed before = healedByRegion.remove(move.region());
        DataNode target = move.target();
        boolean shares = move.proxies().stream()
                .anyMatch(holder ->
                        !holder.id().equals(move.source().id()) && holder.rack().equals(target.rack()));
        boolean sharedBefore = before != null && before.host().equals(target.host()) && before.sharesRack();
        healedByRegion.put(move.region(), new Healed(target.host(), target.rack(), shares || sharedBefore, nowMs));
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
                            && (healed.sharesRack() || healed.rack().equals(recheck.rack()))) {
                        due.put(region, healed.host());
                    }
                });
            }
        }
        return due;
    }
}
