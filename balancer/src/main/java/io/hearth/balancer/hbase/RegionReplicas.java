package io.hearth.balancer.hbase;

import io.hearth.balancer.load.RegionId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;

/** Says which regions are served more than once. */
final class RegionReplicas {

    private RegionReplicas() {}

    /** The primary region of every region that has a replica besides the primary. */
    static Set<RegionId> primariesWithReplicas(Collection<? extends Collection<RegionInfo>> regions) {
        Set<RegionId> primaries = new HashSet<>();
        regions.forEach(ofServer -> ofServer.forEach(region -> {
            if (!RegionReplicaUtil.isDefaultReplica(region)) {
                primaries.add(primaryOf(region));
            }
        }));
        return primaries;
    }

    /** The primary of this region, which is itself where it is no replica. */
    static RegionId primaryOf(RegionInfo region) {
        return Names.region(RegionReplicaUtil.getRegionInfoForDefaultReplica(region));
    }
}
