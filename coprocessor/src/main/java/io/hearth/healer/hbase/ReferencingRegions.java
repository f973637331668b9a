// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.balancer.hbase.HBaseNames;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.healer.hbase.HealerRuntime.KnownRegions;
import io.hearth.healer.model.RegionFiles.FilePart;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Which regions read the files that lie with a region, as far as the process knows: the region and its replicas, or after a split
 * its daughters and theirs. Those with HFileLinks are not known here; their own folders tell.
 */
final class ReferencingRegions {

    private final KnownRegions regions;

    ReferencingRegions(KnownRegions regions) {
        this.regions = regions;
    }

    /** The readers of the files in this region's folders, except {@code self}; none where the master does not know it. */
    SortedMap<EncodedRegionName, FilePart> of(String encodedName, EncodedRegionName self) {
        SortedMap<EncodedRegionName, FilePart> readers = new TreeMap<>();
        Optional<RegionInfo> owner = regions.region(encodedName);
        if (owner.isPresent() && regions.isSplit(owner.get())) {
            daughters(owner.get())
                    .forEach(daughter -> readers.put(HBaseNames.region(daughter), part(owner.get(), daughter)));
        } else if (owner.isPresent()) {
            withReplicas(owner.get(), readers);
        }
        readers.remove(self);
        return readers;
    }

    /** How much of the files of {@code parent} is read by {@code reader}, which has references to them. */
    FilePart part(String parent, Optional<RegionInfo> reader) {
        Optional<RegionInfo> info = regions.region(parent);
        return info.isPresent() && reader.isPresent() ? part(info.get(), reader.get()) : FilePart.WHOLE;
    }

    private List<RegionInfo> daughters(RegionInfo parent) {
        return regions.ofTable(parent.getTable()).stream()
                .filter(region -> overlaps(parent, region))
                .toList();
    }

    /** Until the first number that the master has no replica of. */
    private void withReplicas(RegionInfo owner, SortedMap<EncodedRegionName, FilePart> readers) {
        Optional<RegionInfo> replica = Optional.of(RegionReplicaUtil.getRegionInfoForDefaultReplica(owner));
        for (int number = 1; replica.isPresent(); number++) {
            readers.put(HBaseNames.region(replica.get()), FilePart.WHOLE);
            replica = regions.region(
                    RegionReplicaUtil.getRegionInfoForReplica(owner, number).getEncodedName());
        }
    }

    /** A daughter begins or ends where its parent does; what begins and ends so is the region itself, or a merged one. */
    private static FilePart part(RegionInfo parent, RegionInfo reader) {
        boolean sameStart = Arrays.equals(parent.getStartKey(), reader.getStartKey());
        boolean sameEnd = Arrays.equals(parent.getEndKey(), reader.getEndKey());
        if (sameStart && !sameEnd && compareEnds(reader, parent) < 0) {
            return FilePart.FIRST_HALF;
        }
        if (sameEnd && !sameStart && Bytes.compareTo(reader.getStartKey(), parent.getStartKey()) > 0) {
            return FilePart.SECOND_HALF;
        }
        return FilePart.WHOLE;
    }

    private static boolean overlaps(RegionInfo one, RegionInfo other) {
        return isBeforeEnd(one.getStartKey(), other.getEndKey()) && isBeforeEnd(other.getStartKey(), one.getEndKey());
    }

    private static boolean isBeforeEnd(byte[] key, byte[] endKey) {
        return endKey.length == 0 || Bytes.compareTo(key, endKey) < 0;
    }

    /** The empty end key is the last. */
    private static int compareEnds(RegionInfo one, RegionInfo other) {
        if (one.getEndKey().length == 0 || other.getEndKey().length == 0) {
            return Boolean.compare(one.getEndKey().length == 0, other.getEndKey().length == 0);
        }
        return Bytes.compareTo(one.getEndKey(), other.getEndKey());
    }
}
