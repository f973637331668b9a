// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.hearth.cli.install.ClassFile.Use;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * An HMaster's calls of Hearth's classes, each time with another class, field or method of HBase's or Hadoop's missing. To be closed; of one
 * thread.
 */
final class MasterWithoutOneUse implements AutoCloseable {

    private static final String BALANCERS = "org/apache/hadoop/hbase/master/balancer/";

    private static final List<String> IN_THE_MASTER = List.of(
            "io/hearth/common/",
            "io/hearth/balancer/",
            "io/hearth/healer/",
            "io/hearth/ui/",
            "io/hearth/admin/",
            "io/hearth/doctor/",
            BALANCERS);

    /** What these use every balancer and coprocessor of HBase's does: without it HBase itself would not run. */
    private static final Set<String> NAMED_IN_THE_SITE = Set.of(
            BALANCERS + "HearthStochasticBalancer",
            "io/hearth/balancer/HearthLoadBalancer",
            "io/hearth/healer/hbase/LocalityHealingObserver",
            "io/hearth/admin/rpc/HearthAdminEndpoint",
            "io/hearth/admin/rpc/HearthAdminCoprocessor",
            "io/hearth/ui/hbase/HearthUiFilterInitializer");

    /** Without it no filter of HBase's passes a request on either. */
    private static final String FILTER_CHAIN = "javax/servlet/FilterChain";

    private static final Set<String> THREADS = Set.of("hearth-page", "hearth-backup-masters");

    private final Configuration site = HBaseConfiguration.create();
    private final MasterServices services = mock(MasterServices.class);
    private final ClusterMetrics reports = mock(ClusterMetrics.class);
    private final MasterCoprocessorEnvironment environment =
            mock(MasterCoprocessorEnvironment.class, withSettings().extraInterfaces(HasMasterServices.class));
    private final Map<ServerName, List<RegionInfo>> regionsByServer = new LinkedHashMap<>();
    private final MasterRequests requests = new MasterRequests(site);
    private final MissingUseTrials trials = new MissingUseTrials(BALANCERS, THREADS, this::escaped);

    /** A master with an uneven table. */
    MasterWithoutOneUse() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        site.unset(HConstants.HBASE_DIR);
        // What the healer would warn of.
        site.setBoolean("hbase.locality.inputstream.derive.enabled", true);
        site.setLong("dfs.client.refresh.read-block-locations.ms", 10_000);
        site.setInt("hbase.master.balancer.stochastic.maxSteps", 20);
        site.setLong("hbase.master.balancer.stochastic.maxRunningTime", 100);
        ServerName full = ServerName.valueOf("a", 16020, 1);
        ServerName empty = ServerName.valueOf("b", 16020, 1);
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            regions.add(RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
                    .setStartKey(Bytes.toBytes(number))
                    .setRegionId(1)
                    .build());
        }
        regionsByServer.put(full, regions);
        regionsByServer.put(empty, List.of());
        ServerMetrics report = ServerMetricsBuilder.of(full);
        when(reports.getLiveServerMetrics()).thenReturn(Map.of(full, report, empty, ServerMetricsBuilder.of(empty)));
        when(services.getConfiguration()).thenReturn(site);
        when(services.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(services.getTableDescriptors()).thenReturn(mock(TableDescriptors.class));
        when(services.getServerManager()).thenReturn(mock(ServerManager.class));
        AssignmentManager assignments = mock(AssignmentManager.class);
        when(assignments.getRegionStates()).thenReturn(mock(RegionStates.class));
        when(services.getAssignmentManager()).thenReturn(assignments);
        when(((HasMasterServices) environment).getMasterServices()).thenReturn(services);
    }

    @Override
    public void close() {
        trials.close();
    }

    /** Tries with all, which has to go well, and then without one in so many. */
    MissingUseTrials.Result tryWithoutOneIn(int one) throws Exception {
        Map<Use, Set<String>> usersByUse = MissingUseTrials.usersByUse(
                IN_THE_MASTER,
                NAMED_IN_THE_SITE,
                MissingUseTrials.usedBy(
                        List.of(MasterCalls.class.getName().replace('.', '/'), BALANCERS + "StochasticLoadBalancer"),
                        BALANCERS));
        usersByUse.keySet().removeIf(use -> use.owner().equals(FILTER_CHAIN));
        return trials.tryWithoutOneIn(one, usersByUse);
    }

    private static boolean isOfTheBalancer(String user) {
        return user.contains("/balancer/") || user.startsWith("io/hearth/common/");
    }

    private List<String> escaped(ClassLoader loader, Set<String> users) throws Exception {
        boolean withCoprocessors = users.stream().anyMatch(user -> !user.contains("/balancer/"));
        Object calls = loader.loadClass(MasterCalls.class.getName())
                .getConstructors()[0]
                .newInstance(
                        site,
                        services,
                        reports,
                        environment,
                        regionsByServer,
                        users.stream().anyMatch(MasterWithoutOneUse::isOfTheBalancer),
                        withCoprocessors);
        @SuppressWarnings("unchecked")
        List<String> escaped = new ArrayList<>(((Callable<List<String>>) calls).call());
        if (withCoprocessors) {
            escaped.addAll(requests.ask(loader, trials::isSaid));
        }
        return escaped;
    }
}
