package io.hearth.demo.measure;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was not local since a start: the bytes that healing has to move, counted without asking the
 * healer, by looking at every block again and again.
 *
 * <p>A block counts from the look that first sees it away from the host that serves its region. It
 * counts while it is away and when it has come to that host. It no longer counts when it can never come:
 * when the region has moved on before, or the block's file was rewritten. A block whose region moves
 * twice, and is healed twice, counts twice. Not thread-safe.
 */
public final class MoveTally {
    private final Map<String, RegionBlocks> latestByRegion = new TreeMap<>();
    private final Map<String, RegionBlocks> arrivalByRegion = new TreeMap<>();
    private final Map<String, Map<Long, Long>> awayBytesByBlockByRegion = new TreeMap<>();
    private int homeBlocks;
    private long homeBytes;

    /** The tally from this look on; what is away in it counts already. */
    public MoveTally(LocalityCensus start) {
        look(start);
        arrivalByRegion.clear();
    }

    /** Takes in a look at some or all regions, each on the host that serves it now. */
    public void look(LocalityCensus census) {
        census.regions().forEach(this::look);
    }

    /** The regions that have moved since the start, each as it was when it was first seen where it is now. */
    public LocalityCensus arrivals() {
        return new LocalityCensus(arrivalByRegion.values().stream().toList());
    }

    /** Blocks that were away at some time and have come home or may still come. */
    public int nonLocalBlocks() {
        return homeBlocks
                + awayBytesByBlockByRegion.values().stream().mapToInt(Map::size).sum();
    }

    /** Bytes of those blocks. */
    public long nonLocalBytes() {
        return homeBytes
                + awayBytesByBlockByRegion.values().stream()
                        .flatMap(away -> away.values().stream())
                        .mapToLong(bytes -> bytes)
                        .sum();
    }

    private void look(RegionBlocks now) {
        Map<Long, Long> awayBytesByBlock =
                awayBytesByBlockByRegion.computeIfAbsent(now.region(), region -> new HashMap<>());
        RegionBlocks then = latestByRegion.put(now.region(), now);
        if (then == null || !then.host().equals(now.host())) {
            arrivalByRegion.put(now.region(), now);
            settle(awayBytesByBlock, now, then == null ? now.host() : then.host());
            awayBytesByBlock.clear();
        } else {
            settle(awayBytesByBlock, now, now.host());
        }
        for (BlockReplicas block : now.blocks()) {
            if (!block.isOn(now.host())) {
                awayBytesByBlock.put(block.blockId(), block.bytes());
            }
        }
    }

    /** Counts what has come to this host, and forgets what no longer exists. */
    private void settle(Map<Long, Long> awayBytesByBlock, RegionBlocks now, String host) {
        Map<Long, BlockReplicas> nowById = new HashMap<>();
        now.blocks().forEach(block -> nowById.put(block.blockId(), block));
        Iterator<Map.Entry<Long, Long>> away = awayBytesByBlock.entrySet().iterator();
        while (away.hasNext()) {
            Map.Entry<Long, Long> entry = away.next();
            BlockReplicas today = nowById.get(entry.getKey());
            if (today == null) {
                away.remove();
            } else if (today.isOn(host)) {
                homeBlocks++;
                homeBytes += entry.getValue();
                away.remove();
            }
        }
    }
}
