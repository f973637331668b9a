package io.hearth.doctor.check;

import static io.hearth.doctor.model.Key.STREAMS_CACHE;
import static io.hearth.doctor.model.Role.REGIONSERVER;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundRegionServer;
import io.hearth.doctor.model.Key;
import io.hearth.doctor.model.Remedy.Line;
import io.hearth.doctor.model.Severity;
import java.util.List;

/** Whether the cache of open short-circuit replicas has room for the blocks that a RegionServer reads. */
final class StreamsCacheCheck implements Check {

    @Override
    public String name() {
        return "short-circuit-cache";
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<FoundRegionServer> tooSmall = cluster.regionServers().stream()
                .filter(server -> cluster.settingsOf(server.settings()).is(Key.SHORT_CIRCUIT))
                .filter(server -> cluster.settingsOf(server.settings()).number(STREAMS_CACHE) < server.storeFiles())
                .toList();
        int mostFiles =
                tooSmall.stream().mapToInt(FoundRegionServer::storeFiles).max().orElse(0);
        return new Diagnosis(
                        name(),
                        Severity.COST,
                        "Replicas are opened over the domain socket again and again; each takes a round trip to the DataNode and a slot.",
                        "ShortCircuitCache; XiaoMi's practice: reusing them gave 20 % more requests",
                        // A block is two file descriptors, and there is some room to grow.
                        Line.of(
                                REGIONSERVER,
                                STREAMS_CACHE,
                                Math.max(4_096, Integer.highestOneBit(Math.max(1, mostFiles)) * 2)))
                .foundIfAny(
                        tooSmall.stream()
                                .map(server -> REGIONSERVER.word() + " " + server.host())
                                .toList(),
                        "Fewer replicas are kept open than there are store files: " + STREAMS_CACHE.key()
                                + ", and up to " + mostFiles + " store files.");
    }
}
