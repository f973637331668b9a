// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.hearth.balancer.hbase.MasterComponentRegistry;
import io.hearth.balancer.tracking.ManualMoveListener;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.queue.PollHints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.conf.ConfigurationManager;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.ObserverContextImpl;
import org.apache.hadoop.hbase.favored.FavoredNodesManager;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.ServerListener;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

@SuppressWarnings("deprecation")
class LocalityHealingObserverTest {

    private static final ServerName A = ServerName.valueOf("a", 16020, 1);
    private static final ServerName B = ServerName.valueOf("b", 16020, 1);
    private static final RegionInfo REGION =
            RegionInfoBuilder.newBuilder(TableName.valueOf("ns:t")).build();

    private final MasterServices services = mock(MasterServices.class);
    private final MasterCoprocessorEnvironment environment =
            mock(MasterCoprocessorEnvironment.class, withSettings().extraInterfaces(HasMasterServices.class));
    private final LocalityHealingObserver observer = new LocalityHealingObserver();

    @Test
    void anEnvironmentWithoutMasterServicesIsCaughtAndCounted() {
        long before = hookFailures();

        assertThatCode(() -> observer.start(mock(MasterCoprocessorEnvironment.class)))
                .doesNotThrowAnyException();
        everyHookReturns();

        assertThat(hookFailures() - before).isEqualTo(1);
    }

    @Test
    void anErrorInTheMasterIsCaughtAndCounted() {
        install(new Configuration(false));
        when(services.getServerManager()).thenThrow(new NoClassDefFoundError("changed by an upgrade"));
        long before = hookFailures();

        assertThatCode(() -> observer.postStartMaster(null)).doesNotThrowAnyException();
        assertThat(hookFailures() - before).isEqualTo(1);
    }

    @Test
    void malformedValuesLeaveARunningObserver() {
        Configuration conf = new Configuration(false);
        conf.set("hearth.heal.poll.ms", "soon");
        conf.set("hearth.heal.enabled", "maybe");
        long before = count(HealingCounter.CONFIG_PROBLEMS);

        install(conf);
        everyHookReturns();

        assertThat(count(HealingCounter.CONFIG_PROBLEMS) - before)
                .as("each is reported once, however often it is read")
                .isEqualTo(2);
    }

    @Test
    void aMasterHasOneHealerHoweverOftenTheObserverIsMade() {
        Configuration conf = new Configuration(false);
        install(conf);
        MasterHealer healer = MasterHealer.of(services);

        assertThat(MasterHealer.of(services)).isSameAs(healer);
        observer.stop(environment);
        assertThat(healer.isStopped()).isTrue();
        assertThat(MasterHealer.of(services)).isNotSameAs(healer);
    }

    @Test
    void nothingStartsBeforeTheMasterIsInitialised() {
        install(new Configuration(false));

        verify(services, never()).getServerManager();
        assertThat(observer.getMasterObserver()).isEqualTo(Optional.of(observer));
    }

    /** What has changed is found by polling; the hooks make the poll early. */
    @Test
    void eachHookThatTellsOfAChangeMakesThePollEarly() {
        install(new Configuration(false));
        PollHints hints = MasterHealer.of(services).hints();

        hooks().forEach((name, hook) -> {
            hints.clear();
            hook.run();
            assertThat(hints.isEmpty()).as(name).isFalse();
        });
    }

    @Test
    void aRegionServerThatComesOrGoesMakesThePollEarly() throws InterruptedException {
        install(new Configuration(false));
        PollHints hints = MasterHealer.of(services).hints();
        ServerManager servers = mock(ServerManager.class);
        CountDownLatch ended = new CountDownLatch(1);
        when(services.getServerManager()).thenReturn(servers);
        when(servers.unregisterListener(any())).thenAnswer(call -> {
            ended.countDown();
            return true;
        });
        // A master that does not lead: healing starts, and its thread ends at once.
        observer.postStartMaster(null);
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
        ArgumentCaptor<ServerListener> listener = ArgumentCaptor.forClass(ServerListener.class);
        verify(servers).registerListener(listener.capture());

        hints.clear();
        listener.getValue().serverAdded(A);
        assertThat(hints.isEmpty()).as("one has come").isFalse();
        hints.clear();
        listener.getValue().serverRemoved(A);
        assertThat(hints.isEmpty()).as("one has gone").isFalse();
    }

    @Test
    void aConfigurationThatTheMasterHasReadAnewHoldsAtOnce() throws InterruptedException {
        HMaster master = mock(HMaster.class);
        CountDownLatch registered = new CountDownLatch(1);
        ConfigurationManager manager = new ConfigurationManager() {
            @Override
            public void registerObserver(ConfigurationObserver observer) {
                super.registerObserver(observer);
                registered.countDown();
            }
        };
        when(master.getConfigurationManager()).thenReturn(manager);
        Configuration conf = new Configuration(false);
        install(master, conf);
        assertThat(registered.await(30, TimeUnit.SECONDS)).isTrue();
        MasterHealer healer = MasterHealer.of(master);
        healer.hints().clear();
        assertThat(healer.healerAdmin().config().enabled()).isTrue();

        conf.setBoolean("hearth.heal.enabled", false);
        manager.notifyAllObservers(conf);

        assertThat(healer.healerAdmin().config().enabled()).isFalse();
        assertThat(healer.hints().isEmpty()).as("and the next poll is early").isFalse();

        observer.stop(environment);
        conf.setBoolean("hearth.heal.enabled", true);
        manager.notifyAllObservers(conf);
        assertThat(healer.healerAdmin().config().enabled())
                .as("nobody asks any more")
                .isFalse();
    }

    @Test
    void onAnObjectStoreHealingDoesNotRun() {
        Configuration conf = new Configuration(false);
        conf.set("hbase.rootdir", "s3a://bucket/hbase");
        install(conf);
        when(services.getServerManager()).thenReturn(mock(ServerManager.class));
        MasterHealer healer = MasterHealer.of(services);

        observer.postStartMaster(null);
        everyHookReturns();

        assertThat(healer.isStopped()).isTrue();
        assertThat(HealerAdmin.of(conf)).as("nothing is shown of it").isEmpty();
        verify(services, never()).getMasterFileSystem();
        assertThat(MasterHealer.nothingToHeal(conf))
                .contains(
                        "hbase.rootdir is s3a://bucket/hbase, in an object store: no block is local to any server, so there is"
                                + " nothing to heal, and healing does not run. Remove"
                                + " io.hearth.healer.hbase.LocalityHealingObserver from hbase.coprocessor.master.classes.");
        conf.set("hbase.rootdir", "hdfs://nn:8020/hbase");
        assertThat(MasterHealer.nothingToHeal(conf)).isEmpty();
    }

    @Test
    void whereFavouredNodesAreDealtOutThatIsSaid() {
        assertThat(MasterHealer.favoredNodes(services)).isEmpty();
        when(services.getFavoredNodesManager()).thenReturn(mock(FavoredNodesManager.class));

        assertThat(MasterHealer.favoredNodes(services))
                .contains(
                        "HBase's balancer deals out favoured nodes, and healing brings replicas to the server of each region: the"
                                + " two work against one another, and pinned blocks stay where they are. Set"
                                + " hbase.master.loadbalancer.class = io.hearth.balancer.HearthLoadBalancer, which deals out none, or"
                                + " hearth.heal.enabled = false.");
    }

    @Test
    void aManualMoveIsToldToTheBalancerWithWhoDidIt() {
        Configuration conf = new Configuration(false);
        List<String> told = new ArrayList<>();
        ManualMoveListener balancer = (region, table, from, to, who, fromDraining, whenMs) -> told.add(
                region + " of " + table + " from " + from + " to " + to + " by " + who + ", draining " + fromDraining);
        MasterComponentRegistry.registerManualMoveListener(conf, balancer);
        install(conf);
        ServerManager servers = mock(ServerManager.class);
        when(services.getServerManager()).thenReturn(servers);
        when(servers.getDrainingServersList()).thenReturn(List.of(B));

        observer.postMove(callOf("ann"), REGION, A, B);
        observer.postMove(callOf("ann"), REGION, B, A);
        observer.postMove(new ObserverContextImpl<>(null), REGION, A, B);
        observer.postMove(callOf("x\n2026-11-23 WARN \u001b[2Jforged"), REGION, A, B);

        String region = REGION.getEncodedName() + " of ns:t from ";
        assertThat(told)
                .containsExactly(
                        region + "a,16020,1 to b,16020,1 by ann, draining false",
                        region + "b,16020,1 to a,16020,1 by ann, draining true",
                        region + "a,16020,1 to b,16020,1 by an unknown user, draining false",
                        region + "a,16020,1 to b,16020,1 by x?2026-11-23 WARN ?[2Jforged, draining false");
    }

    @Test
    void aBalancerThatFailsOrIsNotOursIsNoHarm() {
        Configuration conf = new Configuration(false);
        install(conf);
        long before = hookFailures();
        observer.postMove(callOf("ann"), REGION, A, B);
        assertThat(hookFailures() - before).as("not ours").isZero();

        ManualMoveListener failing = (region, table, from, to, who, fromDraining, whenMs) -> {
            throw new IllegalStateException("on purpose");
        };
        MasterComponentRegistry.registerManualMoveListener(conf, failing);
        when(services.getServerManager()).thenReturn(mock(ServerManager.class));
        assertThatCode(() -> observer.postMove(callOf("ann"), REGION, A, B)).doesNotThrowAnyException();
        assertThat(hookFailures() - before).as("it failed").isEqualTo(1);
    }

    private static ObserverContext<MasterCoprocessorEnvironment> callOf(String user) {
        return new ObserverContextImpl<>(User.createUserForTesting(new Configuration(false), user, new String[0]));
    }

    private void install(Configuration conf) {
        install(services, conf);
    }

    private void install(MasterServices master, Configuration conf) {
        when(master.getConfiguration()).thenReturn(conf);
        when(master.getServerName()).thenReturn(ServerName.valueOf("master", 16000, 1));
        when(((HasMasterServices) environment).getMasterServices()).thenReturn(master);
        observer.start(environment);
    }

    private void everyHookReturns() {
        assertThatCode(() -> {
                    hooks().values().forEach(Runnable::run);
                    observer.stop(environment);
                })
                .doesNotThrowAnyException();
    }

    /** The hooks that tell of a change, by name. */
    private Map<String, Runnable> hooks() {
        Map<String, Runnable> hooks = new TreeMap<>();
        hooks.put("postMove", () -> observer.postMove(null, null, null, null));
        hooks.put("postAssign", () -> observer.postAssign(null, null));
        hooks.put("postBalance", () -> observer.postBalance(null, null, List.of()));
        hooks.put("split", () -> observer.postCompletedSplitRegionAction(null, null, null));
        hooks.put("merge", () -> observer.postCompletedMergeRegionsAction(null, null, null));
        hooks.put("create", () -> observer.postCompletedCreateTableAction(null, null, null));
        hooks.put("enable", () -> observer.postCompletedEnableTableAction(null, null));
        hooks.put("truncate", () -> observer.postCompletedTruncateTableAction(null, null));
        hooks.put("modify, completed", () -> observer.postCompletedModifyTableAction(null, null, null, null));
        hooks.put("modify", () -> observer.postModifyTable(null, null, null, null));
        hooks.put("decommission", () -> observer.postDecommissionRegionServers(null, List.of(), true));
        return hooks;
    }

    private static long hookFailures() {
        return count(HealingCounter.HOOK_FAILURES);
    }

    private static long count(HealingCounter counter) {
        return MetricRegistries.global()
                .get(HealingMetricRegistry.INFO)
                .flatMap(registry -> registry.get(counter.metric()))
                .map(metric -> ((Counter) metric).getCount())
                .orElse(0L);
    }
}
