// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.healer.fakes.LoggedLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.junit.jupiter.api.Test;

/** A backup master without Hearth is said in the active one's log, once a day. */
class BackupMasterMonitorTest {

    private static final String BALANCER = "hbase.master.loadbalancer.class";
    private static final String COPROCESSORS = "hbase.coprocessor.master.classes";
    private static final long HOUR_MS = 3_600_000;

    private final ProcessConfig active = new ProcessConfig(Map.of(
            BALANCER,
            "io.hearth.balancer.HearthLoadBalancer",
            COPROCESSORS,
            "org.apache.AccessController, io.hearth.healer.hbase.LocalityHealingObserver"));
    private ProbeResult<ProcessConfig> backup = ProbeResult.known(new ProcessConfig(Map.of(COPROCESSORS, "a.Mine")));
    private final BackupMasterMonitor watch = new BackupMasterMonitor((host, port) -> backup);

    @Test
    void whatIsMissingIsSaidWithTheLinesThatKeepWhatIsThere() {
        assertThat(watch.warning(active, "m2", 16010, 0))
                .hasValue(
                        "The backup master m2 has not what of Hearth this master has. After a failover to it that is gone. Add to its"
                                + " hbase-site.xml, then restart it: <property><name>hbase.master.loadbalancer.class</name>"
                                + "<value>io.hearth.balancer.HearthLoadBalancer</value></property>"
                                + " <property><name>hbase.coprocessor.master.classes</name>"
                                + "<value>a.Mine,io.hearth.healer.hbase.LocalityHealingObserver</value></property>");
    }

    /** Groups are balanced apart: Hearth is named in a key of its own. */
    @Test
    void withGroupsTheBalancerOfAGroupIsMissed() {
        String groupKey = "hbase.rsgroup.grouploadbalancer.class";
        String groups = "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer";
        ProcessConfig grouped =
                new ProcessConfig(Map.of(BALANCER, groups, groupKey, "io.hearth.balancer.HearthLoadBalancer"));
        backup = ProbeResult.known(new ProcessConfig(Map.of(BALANCER, groups)));
        assertThat(watch.warning(grouped, "m2", 16010, 0))
                .get()
                .asString()
                .endsWith("<property><name>hbase.rsgroup.grouploadbalancer.class</name>"
                        + "<value>io.hearth.balancer.HearthLoadBalancer</value></property>")
                .doesNotContain("hbase.master.loadbalancer.class");

        backup = ProbeResult.known(new ProcessConfig(Map.of(groupKey, "io.hearth.balancer.HearthLoadBalancer")));
        assertThat(watch.warning(grouped, "m3", 16010, 0))
                .as("it would balance without groups, by the stock balancer")
                .get()
                .asString()
                .endsWith("<property><name>hbase.master.loadbalancer.class</name><value>" + groups
                        + "</value></property>");
        backup = ProbeResult.known(grouped);
        assertThat(watch.warning(grouped, "m4", 16010, 0)).isEmpty();
        assertThat(watch.warning(
                        new ProcessConfig(Map.of(groupKey, "io.hearth.balancer.HearthLoadBalancer")), "m5", 16010, 0))
                .as("a key that is not used")
                .isEmpty();
    }

    @Test
    void theSameIsSaidOnceADay() {
        assertThat(watch.warning(active, "m2", 16010, 0)).isPresent();
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isEmpty();
        assertThat(watch.warning(active, "m2", 16010, 24 * HOUR_MS)).isPresent();
    }

    @Test
    void onceItWasMendedTheNextTimeIsSaidAtOnce() {
        assertThat(watch.warning(active, "m2", 16010, 0)).isPresent();
        ProbeResult<ProcessConfig> lacking = backup;
        backup = ProbeResult.known(active);
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isEmpty();
        backup = lacking;
        assertThat(watch.warning(active, "m2", 16010, 2 * HOUR_MS)).isPresent();
    }

    @Test
    void aHostThatIsNoBackupAnyMoreIsForgotten() {
        assertThat(watch.warning(active, "m2", 16010, 0)).isPresent();
        watch.retainOnly(Set.of("m2", "m3"));
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isEmpty();
        watch.retainOnly(Set.of("m3"));
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isPresent();
    }

    /** HBase makes the endpoint anew when its list of coprocessors changes. */
    @Test
    void oneWatchesForEachMaster() {
        HMaster master = mock(HMaster.class);
        when(master.getConfiguration()).thenReturn(new Configuration(false));
        when(master.isStopped()).thenReturn(true);
        assertThat(BackupMasterMonitor.start(master)).isTrue();
        assertThat(BackupMasterMonitor.start(master)).isFalse();

        HMaster other = mock(HMaster.class);
        when(other.getConfiguration()).thenReturn(new Configuration(false));
        when(other.isStopped()).thenReturn(true);
        assertThat(BackupMasterMonitor.start(other)).isTrue();
    }

    @Test
    void aBackupThatDoesNotAnswerIsNothingToSay() {
        backup = ProbeResult.unknown("its web UI does not answer");
        assertThat(watch.warning(active, "m2", 16010, 0)).isEmpty();
        backup = ProbeResult.unknown("its web UI has not answered within 300 ms");
        assertThat(watch.warning(active, "m2", 16010, 0)).isEmpty();
    }

    /** As on every cluster whose web UIs ask for Kerberos. */
    @Test
    void aBackupThatDoesNotShowItsConfigurationIsSaidOnceADay() {
        backup = ProbeResult.unknown("its web UI answers 401: it asks for Kerberos");
        assertThat(watch.warning(active, "m2", 16010, 0))
                .hasValue(
                        "The backup master m2 does not show its configuration (its web UI answers 401: it asks for Kerberos):"
                                + " nobody can say whether Hearth is there after a failover to it. Look into its hbase-site.xml.");
        assertThat(watch.warning(active, "m3", 16010, 0)).isPresent();
        backup = ProbeResult.unknown("its web UI answers 503");
        assertThat(watch.warning(active, "m2", 16010, HOUR_MS)).isEmpty();
        assertThat(watch.warning(active, "m2", 16010, 24 * HOUR_MS)).isPresent();

        watch.retainOnly(Set.of("m3"));
        assertThat(watch.warning(active, "m2", 16010, 25 * HOUR_MS)).isPresent();
    }

    /** The second backup has no web UI, so that nobody can ask it. */
    @Test
    void theActiveMasterAsksItsBackupsAndLogsWhatTheyLack() {
        ServerName first = ServerName.valueOf("m2,16000,1");
        ServerName second = ServerName.valueOf("m3,16000,1");
        HMaster master = mock(HMaster.class);
        Configuration conf = new Configuration(false);
        conf.set(BALANCER, "io.hearth.balancer.HearthLoadBalancer");
        when(master.getConfiguration()).thenReturn(conf);
        when(master.getBackupMasters()).thenReturn(List.of(first, second));
        when(master.getBackupMasterInfoPort(first)).thenReturn(16010);
        List<String> asked = new ArrayList<>();
        BackupMasterMonitor monitor = new BackupMasterMonitor((host, port) -> {
            asked.add(host + ":" + port);
            return backup;
        });

        try (LoggedLines logged = new LoggedLines(BackupMasterMonitor.class, "")) {
            monitor.check(master);
            monitor.check(master);
            when(master.getBackupMasters()).thenThrow(new IllegalStateException("no ZooKeeper"));
            monitor.check(master);

            assertThat(asked).containsExactly("m2:16010", "m2:16010");
            assertThat(logged.lines()).hasSize(2);
            assertThat(logged.lines().get(0))
                    .startsWith("The backup master m2 has not what of Hearth this master has.")
                    .endsWith("<property><name>hbase.master.loadbalancer.class</name>"
                            + "<value>io.hearth.balancer.HearthLoadBalancer</value></property>");
            assertThat(logged.lines().get(1))
                    .isEqualTo("Hearth could not ask the backup masters for their configuration; the master goes on.");
        }
    }
}
