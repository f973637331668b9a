// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.readers.DfsClientEvents.Event;
import io.hearth.bench.readers.DfsClientEvents.Kind;
import io.hearth.bench.readers.ReaderCluster.DataNodeReadStatistics;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Where the figures of the readers come from. */
class ReaderFiguresTest {

    /** 2026-11-22 00:00:00 UTC. */
    private static final long AT_MIDNIGHT = 1_795_305_600L * 1_000_000_000;

    @Test
    void theLogOfAServerTellsOfFailoversOfTheFolderAndOfStalls() {
        List<String> lines = List.of(
                "2026-11-22 00:00:01,500 WARN  [RpcServer.default.FPBQ.Fifo.handler=9] hdfs.DFSClient: Connection"
                        + " failure: Failed to connect to host1/10.77.3.21:9866 for file"
                        + " /hbase/data/default/readers/ab/f/cd for block BP-1:blk_1_1",
                "2026-11-22 00:00:02,000 WARN  [RpcServer.default.FPBQ.Fifo.handler=8] hdfs.DFSClient: Connection"
                        + " failure: Failed to connect to host1/10.77.3.21:9866 for file /hbase/data/hbase/meta/ab/f/cd",
                "java.io.IOException: Got error, status=ERROR",
                "2026-11-22 00:00:03,000 INFO  [main] hdfs.DFSClient: Could not obtain BP-1:blk_1_1 from any node."
                        + " Will get new block locations from namenode and retry...",
                "2026-11-22 00:00:04,000 INFO  [main] hdfs.Other: add to deadNodes and continue, readers");

        List<Event> events = DfsClientEvents.events(lines, "/hbase/data/default/readers", ZoneOffset.UTC, -AT_MIDNIGHT);

        assertThat(events)
                .containsExactly(new Event(Kind.FAILOVER, 1_500_000_000L), new Event(Kind.STALL, 3_000_000_000L));
    }

    @Test
    void bytesPastTheDataNodesCountAsReadAndLocal() {
        DataNodeReadStatistics viaDataNodes =
                new DataNodeReadStatistics(1_000, 250).since(new DataNodeReadStatistics(200, 50));

        assertThat(viaDataNodes.localShare(400)).isEqualTo(0.75);
        assertThat(viaDataNodes.shortCircuitShare(400)).isZero();
        assertThat(new DataNodeReadStatistics(10, 10).localShare(1_000)).isEqualTo(0.99);
        assertThat(new DataNodeReadStatistics(10, 10).shortCircuitShare(1_000)).isEqualTo(0.99);
        assertThat(DataNodeReadStatistics.NONE.localShare(0)).isZero();
        assertThat(DataNodeReadStatistics.NONE.shortCircuitShare(0)).isZero();
    }

    @Test
    void aQuickRunRefreshesOftenAndLeavesTheDefaultsAlone() {
        Path conf = Path.of("..", "conf");

        Map<String, String> hearth = ReaderScenario.quick(ReaderSetup.HEARTH_WITH_JAR.properties(conf))
                .properties();
        assertThat(hearth)
                .containsEntry("dfs.client.refresh.read-block-locations.ms", "2000")
                .containsEntry("hearth.datanode.deletion.delay.ms", "6000");
        assertThat(ReaderScenario.quick(ReaderSetup.DEFAULT.properties(conf)).properties())
                .containsEntry("dfs.client.refresh.read-block-locations.ms", "0");
    }

    @Test
    void processesWithTheClientsDefaultsHaveNothingOfConf() {
        Path conf = Path.of("..", "conf");

        Map<String, String> defaults = ReaderSetup.DEFAULT.processProperties(conf);

        Configuration regionServer = new Configuration(false);
        regionServer.addResource(new org.apache.hadoop.fs.Path(
                conf.resolve("regionserver/hbase-site.xml").toAbsolutePath().toUri()));
        assertThat(defaults.keySet())
                .containsAll(regionServer.getPropsWithPrefix("").keySet());
        assertThat(ReaderSetup.HEARTH_SHORT_CIRCUIT.processProperties(conf))
                .containsEntry("dfs.client.read.shortcircuit", "true")
                .containsEntry("dfs.domain.socket.path", "/run/hearth-readers/${env.HEARTH_HOST:-client}");
    }
}
