// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.spi.NameNodeUsage;
import io.hearth.healer.spi.Observed;
import io.hearth.healer.spi.Observed.UnknownReason;
import io.hearth.healer.throttle.NameNodeBudget;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class NameNodeDataNodesTest {

    private final DFSClient client = mock(DFSClient.class);
    private final DataNodeCache cache = new DataNodeCache(() -> 0);
    private final NameNodeUsage usage = new NameNodeUsage();
    private final List<String> located = new ArrayList<>();
    private long nowNanos;
    private final NameNodeDataNodes dataNodes =
            new NameNodeDataNodes(client, cache, new Configuration(false), usage, located::add, () -> nowNanos);

    @Test
    void theReportIsTaken() throws IOException {
        when(client.getDatanodeStorageReport(any()))
                .thenReturn(new DatanodeStorageReport[] {report("h1"), report("h2")});

        assertThat(hosts()).containsExactly("h1", "h2");
    }

    @Test
    void whoGetsNoReportLearnsFromLocationsAndAsksAgainAfterMinutes() throws IOException {
        when(client.getDatanodeStorageReport(any()))
                .thenThrow(new RemoteException(AccessControlException.class.getName(), "Superuser privilege required"))
                .thenReturn(new DatanodeStorageReport[] {report("h1")});
        cache.note(info("met"), "/f");

        assertThat(hosts()).containsExactly("met");
        cache.note(info("new"), "/f");
        assertThat(hosts()).containsExactly("met", "new");
        verify(client, times(1)).getDatanodeStorageReport(any());

        nowNanos = 300_000_000_000L;
        assertThat(hosts()).as("the privilege was given").containsExactly("h1");
    }

    /** Broken (the report is not needed for it): a call each time though it says what is free. */
    @Test
    void whoGetsNoReportAsksWhereADataNodeWasMetLast() throws IOException {
        when(client.getDatanodeStorageReport(any()))
                .thenReturn(new DatanodeStorageReport[] {report("h1")})
                .thenThrow(new RemoteException(AccessControlException.class.getName(), "Superuser privilege required"));
        dataNodes.list();
        DataNode met = cache.note(info("met"), "/hbase/data/t/r/f/1");
        dataNodes.renew(met);
        assertThat(located).isEmpty();

        dataNodes.list();
        dataNodes.renew(met);
        cache.note(info("met"), "/hbase/data/t/r/f/2");
        dataNodes.renew(met);
        dataNodes.renew(cache.note(info("met again"), "/hbase/data/t/r/f/3"));
        assertThat(located).containsExactly("/hbase/data/t/r/f/1", "/hbase/data/t/r/f/2", "/hbase/data/t/r/f/3");
    }

    @Test
    void aNameNodeThatFailsIsUnknownAndAskedAgain() throws IOException {
        when(client.getDatanodeStorageReport(any())).thenThrow(new ConnectException("refused"));

        assertThat(dataNodes.list())
                .isEqualTo(Observed.unknown(UnknownReason.NAMENODE_FAILED, "java.net.ConnectException: refused"));
        dataNodes.list();
        verify(client, times(2)).getDatanodeStorageReport(any());
    }

    /** The report of 7,000 DataNodes takes the NameNode as long as a hundred listings. */
    @Test
    void aReportIsPaidForOfWhatHealingMayUse() throws IOException {
        NameNodeBudget budget = new NameNodeBudget(usage);
        budget.set(0.02, 500);
        when(client.getDatanodeStorageReport(any())).thenAnswer(call -> {
            nowNanos += 70_000_000;
            return new DatanodeStorageReport[] {report("h1")};
        });
        assertThat(budget.mayCall(0)).isTrue();
        dataNodes.list();

        assertThat(usage.regularMicros()).isEqualTo(70_000);
        assertThat(budget.takeLongestMs()).isEqualTo(70);
        assertThat(budget.mayCall(0)).isFalse();
        assertThat(budget.mayCall(2_501))
                .as("20 ms were saved up, 50 are paid off")
                .isTrue();
    }

    @Test
    void aReportThatFailsHasTakenTimeToo() throws IOException {
        when(client.getDatanodeStorageReport(any())).thenAnswer(call -> {
            nowNanos += 30_000_000_000L;
            throw new ConnectException("refused");
        });
        dataNodes.list();

        assertThat(usage.regularMicros()).isEqualTo(NameNodeUsage.MOST_MICROS);
    }

    @Test
    void aFileThatIsNotThereIsGone() {
        Observed<DataNodes> local = NameNodeCalls.call(() -> {
            throw new FileNotFoundException("/f");
        });
        Observed<DataNodes> remote = NameNodeCalls.call(() -> {
            throw new RemoteException(FileNotFoundException.class.getName(), "/f");
        });

        assertThat(List.of(local, remote)).containsOnly(Observed.gone());
    }

    private List<String> hosts() {
        return dataNodes.list().ifKnown().orElseThrow().byId().values().stream()
                .map(DataNode::host)
                .toList();
    }

    private static DatanodeStorageReport report(String host) {
        return new DatanodeStorageReport(info(host), StorageReport.EMPTY_ARRAY);
    }

    private static DatanodeInfo info(String host) {
        return new DatanodeInfoBuilder()
                .setDatanodeUuid("uuid-" + host)
                .setHostName(host)
                .setIpAddr("10.0.0.1")
                .setXferPort(9866)
                .setNetworkLocation("/a")
                .build();
    }
}
