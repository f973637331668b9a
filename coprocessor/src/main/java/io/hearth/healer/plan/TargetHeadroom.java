// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNode.Volume;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Says how many bytes of replicas a DataNode may still be given, so that healing never fills it: on each kind of storage no more
 * than a share of the capacity is used afterwards, and no less than {@value #LEAST_REMAINING} of it remains. Where volumes are
 * reported, one that is beyond either counts for nothing, whatever room the others have: the DataNode chooses the volume, and
 * passes over those without space. Immutable.
 *
 * <p>Both measures are needed: what remains is net of everything else on the disks, and what is used tells how far a DataNode is
 * from its like.
 *
 * @param maxUsedRatio {@code hearth.heal.target.max.used.ratio}, 0 to 1
 * @param scheduledBytes bytes of moves to the DataNodes of the host that have not ended, by the storage that they go to
 */
public record TargetHeadroom(double maxUsedRatio, Map<StorageType, Long> scheduledBytes) {

    /** HDFS lets a volume run full to the last byte, and so do HBase's own writes; this much is left to them. */
    static final double LEAST_REMAINING = 0.05;

    public TargetHeadroom {
        EnumMap<StorageType, Long> copy = new EnumMap<>(StorageType.class);
        copy.putAll(scheduledBytes);
        scheduledBytes = Collections.unmodifiableMap(copy);
    }

    /** Room on DataNodes to which no move is under way. */
    public static TargetHeadroom upTo(double maxUsedRatio) {
        return new TargetHeadroom(maxUsedRatio, Map.of());
    }

    /** The bytes that this DataNode may be given on this kind of storage; 0 or less for none, many where nobody knows. */
    public long bytes(DataNode node, StorageType type) {
        return bytes(node, type, Map.of());
    }

    /** The same, with these bytes promised to it besides. */
    long bytes(DataNode node, StorageType type, Map<StorageType, Long> moreBytes) {
        if (!node.volumes().isEmpty()) {
            long headroom = ofVolumes(node.volumes(), type);
            return headroom == Long.MAX_VALUE
                    ? headroom
                    : headroom - scheduledBytes.getOrDefault(type, 0L) - moreBytes.getOrDefault(type, 0L);
        }
        // Where nobody says what is left on which storage, whatever comes to it comes to all of it.
        long headroom = ofNode(node);
        return headroom == Long.MAX_VALUE ? headroom : headroom - sum(scheduledBytes) - sum(moreBytes);
    }

    private static long sum(Map<StorageType, Long> bytesByType) {
        return bytesByType.values().stream().mapToLong(Long::longValue).sum();
    }

    private long ofVolumes(Collection<Volume> volumes, StorageType type) {
        List<Volume> ofType = volumes.stream()
                .filter(volume -> volume.type() == type && volume.healthy())
                .toList();
        if (ofType.isEmpty()) {
            // It has no such storage, and says so by itself.
            return Long.MAX_VALUE;
        }
        long capacityBytes = ofType.stream().mapToLong(Volume::capacityBytes).sum();
        long usedBytes = ofType.stream().mapToLong(Volume::usedBytes).sum();
        long remainingBytes = ofType.stream().mapToLong(Volume::remainingBytes).sum();
        long onEach = ofType.stream()
                .mapToLong(volume ->
                        Math.max(0, headroom(volume.capacityBytes(), volume.usedBytes(), volume.remainingBytes())))
                .sum();
        return Math.min(onEach, headroom(capacityBytes, usedBytes, remainingBytes));
    }

    private long ofNode(DataNode node) {
        double usedShare = node.usedShare().orElse(0);
        if (node.capacityBytes().isPresent() && node.freeBytes().isPresent()) {
            long capacityBytes = node.capacityBytes().getAsLong();
            return headroom(
                    capacityBytes,
                    (long) (usedShare * capacityBytes),
                    node.freeBytes().getAsLong());
        }
        return usedShare > maxUsedRatio ? 0 : node.freeBytes().orElse(Long.MAX_VALUE);
    }

    private long headroom(long capacityBytes, long usedBytes, long remainingBytes) {
        long untilUsed = (long) (maxUsedRatio * capacityBytes) - usedBytes;
        return Math.min(untilUsed, remainingBytes - (long) (LEAST_REMAINING * capacityBytes));
    }
}
