// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.capacity;

import io.hearth.doctor.capacity.ServerMemory.CacheCounters;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import java.util.List;
import java.util.Optional;

/**
 * How often the block caches that a table's reads go to have what is asked for. HBase counts hits by server and by type of block, and
 * neither by table nor by family. So this is the hit share of the servers that answer the table's reads, each weighted by how many of them
 * it answered: exact where a server answers reads of this table alone, and else a mean over the tables that share its cache. Stateless.
 */
public final class CacheHits {

    private CacheHits() {}

    /** What one RegionServer has answered of a table's reads, and what its caches have counted, both since it started. */
    public record ServerReads(long reads, ProbeResult<CacheCounters> cache) {

        private Optional<Double> hitShare() {
            return cache.ifKnown()
                    .filter(counters -> counters.hits() + counters.misses() > 0)
                    .map(counters -> (double) counters.hits() / (counters.hits() + counters.misses()));
        }
    }

    /** The share, from 0 to 1; unknown where nobody reads the table, or no server that answers its reads tells of its caches. */
    public static ProbeResult<Double> share(List<ServerReads> servers) {
        if (servers.stream().mapToLong(ServerReads::reads).sum() == 0) {
            return ProbeResult.unknown("no RegionServer has counted a read of it");
        }
        double hits = 0;
        long weight = 0;
        for (ServerReads server : servers) {
            Optional<Double> share = server.hitShare();
            if (share.isPresent()) {
                hits += share.get() * server.reads();
                weight += server.reads();
            }
        }
        return weight == 0
                ? ProbeResult.unknown("no RegionServer that answers its reads tells of its block caches")
                : ProbeResult.known(hits / weight);
    }
}
