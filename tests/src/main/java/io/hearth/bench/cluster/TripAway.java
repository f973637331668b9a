package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.util.Bytes;

/** Regions come to a server that has nothing of them. */
record TripAway(Site site) implements Trip {

    @Override
    public Set<String> to(ServerName server) throws IOException {
        Set<String> regions = without(site.eyes().census(), server.getHostname());
        for (String region : regions) {
            site.admin().move(Bytes.toBytes(region), server);
        }
        return regions;
    }

    static Set<String> without(LocalityCensus census, String host) {
        return census.regions().stream()
                .filter(region -> !region.host().equals(host))
                .map(region -> new RegionBlocks(region.region(), host, region.blocks()))
                .filter(region -> region.nonLocalBytes() == region.bytes())
                .limit(REGIONS)
                .map(RegionBlocks::region)
                .collect(Collectors.toSet());
    }
}
