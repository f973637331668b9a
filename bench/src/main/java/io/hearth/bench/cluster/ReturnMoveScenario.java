package io.hearth.bench.cluster;

import io.hearth.testkit.embedded.ClusterHost;
import io.hearth.testkit.load.LoadTable;
import io.hearth.testkit.measure.LocalitySnapshot;
import io.hearth.testkit.measure.RegionBlocks;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;

/**
 * Regions of a server, all local there, go to another one in its rack; a tenth of their rows is written anew, and they come back: what any
 * restart of a RegionServer comes to. HDFS puts the other two replicas of what was written into the other rack, so that the server has none
 * of it.
 */
record ReturnMoveScenario(ClusterHandle handle, LoadTable table, long seed) implements MoveScenario {

    /** One row in so many is written elsewhere. */
    private static final int ONE_IN = 10;

    @Override
    public String description() {
        return "regions come back after a tenth of their rows was written elsewhere";
    }

    @Override
    public Set<String> to(ServerName server) throws IOException {
        Set<String> regions = localRegions(handle.observer().localitySnapshot(), server.getHostname());
        handle.move(regions, neighbour(server));
        table.rewrite(
                handle.connection(),
                handle.numbers(table, regions),
                table.keys().rowsPerRegion() / ONE_IN,
                seed);
        // Closing a region flushes it, where it is.
        handle.move(regions, server);
        return regions;
    }

    static Set<String> localRegions(LocalitySnapshot localitySnapshot, String host) {
        return localitySnapshot.servedBy(host).stream()
                .filter(region -> region.nonLocalBytes() == 0)
                .limit(REGIONS)
                .map(RegionBlocks::region)
                .collect(Collectors.toSet());
    }

    private ServerName neighbour(ServerName server) throws IOException {
        List<ClusterHost> hosts = handle.cluster().layout().workers();
        String host = neighbour(hosts, server.getHostname());
        return handle.admin().getRegionServers().stream()
                .filter(other -> other.getHostname().equals(host))
                .findFirst()
                .orElseThrow(() -> new IOException("no RegionServer is alive on " + host));
    }

    /** The first other host of its rack. */
    static String neighbour(List<ClusterHost> hosts, String host) {
        String rack = hosts.stream()
                .filter(one -> one.name().equals(host))
                .findFirst()
                .orElseThrow()
                .rack();
        return hosts.stream()
                .filter(one -> one.rack().equals(rack) && !one.name().equals(host))
                .map(ClusterHost::name)
                .findFirst()
                .orElseThrow();
    }
}
