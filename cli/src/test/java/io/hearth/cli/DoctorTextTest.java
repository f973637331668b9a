// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase;
import io.hearth.doctor.model.ProbedCluster.ProbedHBase.ProbedMaster;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a person reads. */
class DoctorTextTest {

    private static final ProbeResult<ProcessConfig> NOTHING_SET = ProbeResult.known(new ProcessConfig(Map.of()));
    private static final ProbedCluster CLUSTER = new ProbedCluster(
            "hbase",
            new ProcessConfig(Map.of()),
            "the client's configuration",
            new ProbedMaster("m1", "2.6.4", ProbeResult.known("17"), NOTHING_SET),
            List.of(),
            ProbeResult.known(List.of()),
            ProbeResult.unknown("refused"),
            new ProbedHdfs(ProbeResult.known(true), ProbeResult.known(List.of()), ProbeResult.known(List.of())),
            new ProbedHBase(
                    List.of(),
                    List.of(),
                    ProbeResult.known(true),
                    ProbeResult.known(List.of()),
                    ProbeResult.known(List.of())));

    @Test
    void nothingFoundIsTwoLines() {
        assertThat(DoctorText.lines(CLUSTER, List.of()))
                .containsExactly(
                        "Examined HBase 2.6.4 on HMaster m1, 0 RegionServers, DataNodes that can't be listed, as hbase.",
                        "",
                        "Nothing is to be mended.");
    }

    @Test
    void aFindingHasItsPlacesItsCostWhatToDoAndItsSource() {
        Finding finding = new Finding(
                "peer-cache",
                Severity.WARNING,
                List.of("e", "a", "b", "c", "d"),
                "Few connections are kept.",
                "Reads of remote blocks make a new connection again and again, which costs a round trip and a thread of it.",
                List.of(
                        Fix.ConfigLine.of(Role.REGIONSERVER, HadoopKey.PEER_CACHE, 100),
                        Fix.ConfigLine.of(Role.REGIONSERVER, HadoopKey.PEER_CACHE_MS, 3000),
                        new Fix.Command("true"),
                        new Fix.Advice("Nothing")),
                "somebody");

        assertThat(DoctorText.lines(CLUSTER, List.of(finding)).subList(2, 13))
                .containsExactly(
                        "WARNING  peer-cache  a, b, c, d and 1 more",
                        "   Few connections are kept.",
                        "   Costs:  Reads of remote blocks make a new connection again and again, which costs a round trip",
                        "           and a thread of it.",
                        "   Change: hbase-site.xml of the RegionServers, then restart them",
                        "           <property><name>dfs.client.socketcache.capacity</name><value>100</value></property>",
                        "           <property><name>dfs.client.socketcache.expiryMsec</name><value>3000</value></property>",
                        "   Run:    true",
                        "   Do:     Nothing.",
                        "   Source: somebody",
                        "");
    }

    @Test
    void theLastLineCounts() {
        Finding unknown =
                new Finding("x", Severity.UNKNOWN, List.of(), "It is not told.", "All.", List.of(), "somebody");

        Finding fault = new Finding("y", Severity.ERROR, List.of(), "It is broken.", "All.", List.of(), "somebody");

        assertThat(DoctorText.lines(CLUSTER, List.of(fault, unknown)))
                .endsWith("1 fault, 0 things that cost more than they have to, and 1 could not be read.");
        assertThat(DoctorText.lines(CLUSTER, List.of(unknown)))
                .endsWith("Nothing is to be mended, and 1 could not be read.")
                .contains("   Hides:  All.");
    }

    @Test
    void aProgramReadsARowForEachFinding() {
        Finding finding = new Finding(
                "clock", Severity.WARNING, List.of("host2", "host1"), "It is, late.", "Waits.", List.of(), "measured");

        assertThat(DoctorText.table(List.of(finding)).csv())
                .containsExactly(
                        "severity,check,where,what,cost,source",
                        "WARNING,clock,host1; host2,\"It is, late.\",Waits.,measured");
    }
}
