package io.hearth.demo.measure;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What was not local when regions arrived on new servers: the bytes that healing has to move, counted
 * without asking the healer.
 *
 * <p>A region counts at the moment it is first seen on another server than before. When it moves on
 * before it is healed, only those blocks of the earlier stay still count that did come to it. Not
 * thread-safe.
 */
public final class MoveTally {
    private final Map<String, RegionBlocks> latestByRegion = new TreeMap<>();
    private final Set<String> moved = new HashSet<>();
    private final List<BlockReplicas> settled = new ArrayList<>();

    /** The tally from this assignment on. */
    public MoveTally(LocalityCensus start) {
        start.regions().forEach(region -> latestByRegion.put(region.region(), region));
    }

    /** Whether this is a new host for the region. */
    public boolean isMove(String region, String host) {
        RegionBlocks latest = latestByRegion.get(region);
        return latest == null || !latest.host().equals(host);
    }

    /** Notes a region on its new host, with its blocks as they are now. */
    public void arrived(RegionBlocks now) {
        RegionBlocks then = latestByRegion.put(now.region(), now);
        if (then != null && moved.contains(now.region())) {
            settled.addAll(cameHome(then, now));
        }
        moved.add(now.region());
    }

    /** The regions that have moved, each as it was when it last arrived. */
    public LocalityCensus arrivals() {
        return new LocalityCensus(latestByRegion.values().stream()
                .filter(r -> moved.contains(r.region()))
                .toList());
    }

    /** Blocks that were not local on arrival. */
    public int nonLocalBlocks() {
        return settled.size() + arrivals().nonLocalBlocks();
    }

    /** Bytes that were not local on arrival. */
    public long nonLocalBytes() {
        return settled.stream().mapToLong(BlockReplicas::bytes).sum()
                + arrivals().nonLocalBytes();
    }

    private static List<BlockReplicas> cameHome(RegionBlocks then, RegionBlocks now) {
        Map<Long, BlockReplicas> nowById = new TreeMap<>();
        now.blocks().forEach(block -> nowById.put(block.blockId(), block));
        return then.blocks().stream()
                .filter(block -> !block.isOn(then.host()))
                .filter(block -> {
                    BlockReplicas today = nowById.get(block.blockId());
                    return today != null && today.isOn(then.host());
                })
                .toList();
    }
}
