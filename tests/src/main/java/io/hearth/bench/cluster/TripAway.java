package io.hearth.bench.cluster;

import io.hearth.demo.measure.LocalityCensus;
import io.hearth.demo.measure.RegionBlocks;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;

/** Regions come to a server that has nothing of them. */
record TripAway(Site site) implements Trip {

    @Override
    public String words() {
        return "regions come to hosts without their blocks";
    }

    @Override
    public Set<String> to(ServerName server) throws IOException {
        Set<String> regions = without(site.eyes().census(), server.getHostname());
        site.move(regions, server);
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
