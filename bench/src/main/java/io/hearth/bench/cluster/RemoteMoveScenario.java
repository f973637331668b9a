package io.hearth.bench.cluster;

import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.RegionBlocks;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;

/** Regions come to a server that has nothing of them. */
record RemoteMoveScenario(ClusterHandle handle) implements MoveScenario {

    @Override
    public String description() {
        return "regions come to hosts without their blocks";
    }

    @Override
    public Set<String> to(ServerName server) throws IOException {
        Set<String> regions = without(handle.observer().localitySnapshot(), server.getHostname());
        handle.move(regions, server);
        return regions;
    }

    static Set<String> without(LocalitySnapshot localitySnapshot, String host) {
        return localitySnapshot.regions().stream()
                .filter(region -> !region.host().equals(host))
                .map(region -> new RegionBlocks(region.region(), host, region.blocks()))
                .filter(region -> region.nonLocalBytes() == region.bytes())
                .limit(REGIONS)
                .map(RegionBlocks::region)
                .collect(Collectors.toSet());
    }
}
