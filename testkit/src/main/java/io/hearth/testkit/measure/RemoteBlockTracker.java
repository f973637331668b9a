// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import io.hearth.testkit.measure.LocalitySnapshot.RegionBlocks;
import io.hearth.testkit.measure.LocalitySnapshot.StoreFileBlock;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was not local since a start: the bytes that healing has to move, counted without asking the
 * healer, by sampling every block again and again.
 *
 * <p>A block counts from the sample that first has it on other hosts than the one that serves its region. It
 * counts while it is remote and when it has come to that host. It no longer counts when it can never come:
 * when the region has moved on before, or the block's file was rewritten. A block whose region moves
 * twice, and is healed twice, counts twice. Not thread-safe.
 */
public final class RemoteBlockTracker {
    private final Map<String, RegionBlocks> latestByRegion = new TreeMap<>();
    private final Map<String, RegionBlocks> arrivedRegionByName = new TreeMap<>();
    private final Map<String, Map<Long, Long>> remoteBytesByBlockByRegion = new TreeMap<>();
    private int healedBlocks;
    private long healedBytes;

    /** The count from this sample on; what is remote in it counts already. */
    public RemoteBlockTracker(LocalitySnapshot start) {
        sample(start);
        arrivedRegionByName.clear();
    }

    /** Takes in a sample of some or all regions, each on the host that serves it now. */
    public void sample(LocalitySnapshot localitySnapshot) {
        localitySnapshot.regions().forEach(this::sample);
    }

    /** The regions that have moved since the start, each as it was when it was first seen where it is now. */
    public LocalitySnapshot arrivedRegions() {
        return new LocalitySnapshot(arrivedRegionByName.values().stream().toList());
    }

    /** Blocks that were remote at some time and have become local or may still. */
    public int nonLocalBlocks() {
        return healedBlocks
                + remoteBytesByBlockByRegion.values().stream()
                        .mapToInt(Map::size)
                        .sum();
    }

    /** Bytes of those blocks. */
    public long nonLocalBytes() {
        return healedBytes
                + remoteBytesByBlockByRegion.values().stream()
                        .flatMap(remote -> remote.values().stream())
                        .mapToLong(bytes -> bytes)
                        .sum();
    }

    private void sample(RegionBlocks now) {
        Map<Long, Long> remoteBytesByBlock =
                remoteBytesByBlockByRegion.computeIfAbsent(now.region(), region -> new HashMap<>());
        RegionBlocks then = latestByRegion.put(now.region(), now);
        if (then == null || !then.host().equals(now.host())) {
            arrivedRegionByName.put(now.region(), now);
            settle(remoteBytesByBlock, now, then == null ? now.host() : then.host());
            remoteBytesByBlock.clear();
        } else {
            settle(remoteBytesByBlock, now, now.host());
        }
        for (StoreFileBlock block : now.blocks()) {
            if (!block.isOn(now.host())) {
                remoteBytesByBlock.put(block.blockId(), block.bytes());
            }
        }
    }

    /** Counts what has come to this host, and forgets what no longer exists. */
    private void settle(Map<Long, Long> remoteBytesByBlock, RegionBlocks now, String host) {
        Map<Long, StoreFileBlock> nowById = new HashMap<>();
        now.blocks().forEach(block -> nowById.put(block.blockId(), block));
        Iterator<Map.Entry<Long, Long>> remote = remoteBytesByBlock.entrySet().iterator();
        while (remote.hasNext()) {
            Map.Entry<Long, Long> entry = remote.next();
            StoreFileBlock today = nowById.get(entry.getKey());
            if (today == null) {
                remote.remove();
            } else if (today.isOn(host)) {
                healedBlocks++;
                healedBytes += entry.getValue();
                remote.remove();
            }
        }
    }
}
