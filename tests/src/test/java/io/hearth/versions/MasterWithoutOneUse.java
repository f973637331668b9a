// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.hearth.cli.install.ClassFile;
import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import io.hearth.cli.install.UsedApi;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * An HMaster's calls of Hearth's classes, each time with another class, field or method of HBase's or Hadoop's missing, from the list of what
 * Hearth uses that the build makes. To be closed; of one thread.
 */
final class MasterWithoutOneUse implements AutoCloseable {

    private static final List<String> IN_THE_MASTER = List.of(
            "io/hearth/common/",
            "io/hearth/balancer/",
            "io/hearth/healer/",
            "io/hearth/ui/",
            "io/hearth/admin/",
            "io/hearth/doctor/",
            "org/apache/hadoop/hbase/master/balancer/");

    /** What these use every balancer and coprocessor of HBase's does: without it HBase itself would not run. */
    private static final Set<String> NAMED_IN_THE_SITE = Set.of(
            "org/apache/hadoop/hbase/master/balancer/HearthStochasticBalancer",
            "io/hearth/balancer/HearthLoadBalancer",
            "io/hearth/healer/hbase/LocalityHealingObserver",
            "io/hearth/admin/rpc/HearthAdminEndpoint",
            "io/hearth/admin/rpc/HearthAdminCoprocessor",
            "io/hearth/ui/hbase/HearthUiFilterInitializer");

    private static final String LINE = "Hearth was built for HBase ";

    private final Configuration site = HBaseConfiguration.create();
    private final MasterServices services = mock(MasterServices.class);
    private final ClusterMetrics reports = mock(ClusterMetrics.class);
    private final MasterCoprocessorEnvironment environment =
            mock(MasterCoprocessorEnvironment.class, withSettings().extraInterfaces(HasMasterServices.class));
    private final FilterContainer webUi = mock(FilterContainer.class);
    private final Map<ServerName, List<RegionInfo>> regionsByServer = new LinkedHashMap<>();
    private final Thread testThread = Thread.currentThread();
    private final List<String> logged = new ArrayList<>();
    private final Logger log = Logger.getLogger("io.hearth");
    private final Level levelBefore = log.getLevel();
    private final AppenderSkeleton appender = new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
            // What the healer's thread says may come when something else is missing already: HealingRunnerTest is about
            // it.
            if (Thread.currentThread() == testThread) {
                logged.add(event.getRenderedMessage()
                        + (event.getThrowableInformation() == null
                                ? ""
                                : " " + event.getThrowableInformation().getThrowable()));
            }
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
            return false;
        }
    };

    /** A master with an uneven table. */
    MasterWithoutOneUse() {
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
        log.setLevel(Level.WARN);
        log.addAppender(appender);
    }

    @Override
    public void close() {
        log.removeAppender(appender);
        log.setLevel(levelBefore);
    }

    /** How many there are, how many of them were reached and missed, and what went wrong, by what was missing. */
    record Result(int tried, Set<String> missed, Map<String, List<String>> wrong) {}

    /** Tries with all, which has to go well, and then without one in so many. */
    Result tryWithoutOneIn(int one) throws Exception {
        assertThat(escaped(new Use(UseKind.METHOD, "none", "none", "()V"), Set.of(), true, true))
                .as("with all of them")
                .isEmpty();
        assertThat(logged).isEmpty();

        Map<String, List<String>> wrong = new LinkedHashMap<>();
        Set<String> missed = new TreeSet<>();
        List<Map.Entry<Use, Set<String>>> uses =
                new ArrayList<>(usersInTheMaster().entrySet());
        int tried = 0;
        for (int number = 0; number < uses.size(); number += one) {
            Use missing = uses.get(number).getKey();
            Set<String> users = uses.get(number).getValue();
            logged.clear();
            List<String> problems = new ArrayList<>(escaped(
                    missing,
                    users,
                    users.stream().anyMatch(MasterWithoutOneUse::isOfTheBalancer),
                    users.stream().anyMatch(user -> !user.contains("/balancer/"))));
            List<String> lines =
                    logged.stream().filter(line -> line.contains(LINE)).toList();
            if (!lines.isEmpty()) {
                missed.add(missing.toString());
                String name = missing.name().isEmpty() ? missing.owner() : missing.name() + MissingUseLoader.ABSENT;
                if (lines.stream().noneMatch(line -> line.contains(name) || line.contains(name.replace('/', '.')))) {
                    problems.add("not named in " + lines);
                }
            } else if (logged.stream().anyMatch(line -> line.contains("Error"))) {
                problems.add("told without versions: " + logged);
            }
            tried++;
            if (!problems.isEmpty()) {
                wrong.put(missing + " of " + users, problems);
            }
        }
        System.out.println("Tried without each of " + tried + " of " + uses.size() + " classes and members; "
                + missed.size() + " were missed.");
        return new Result(tried, missed, wrong);
    }

    private static boolean isOfTheBalancer(String user) {
        return user.contains("/balancer/") || user.startsWith("io/hearth/common/");
    }

    private List<String> escaped(Use missing, Set<String> users, boolean withBalancer, boolean withCoprocessors)
            throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        MissingUseLoader loader = new MissingUseLoader(getClass().getClassLoader(), missing, users);
        Thread.currentThread().setContextClassLoader(loader);
        try {
            Object calls = loader.loadClass(MasterCalls.class.getName())
                    .getConstructors()[0]
                    .newInstance(
                            site,
                            services,
                            reports,
                            environment,
                            webUi,
                            regionsByServer,
                            withBalancer,
                            withCoprocessors);
            @SuppressWarnings("unchecked")
            List<String> escaped = ((Callable<List<String>>) calls).call();
            return new ArrayList<>(escaped);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** By what is used, the classes of the HMaster that do, but for what HBase's own balancers and coprocessors need as well. */
    private static Map<Use, Set<String>> usersInTheMaster() throws IOException {
        UsedApi api = read();
        Set<String> ofStock = usedByTheStockBalancers();
        api.usersByUse().forEach((use, users) -> {
            if (use.kind() == UseKind.SUPERTYPE && users.stream().anyMatch(NAMED_IN_THE_SITE::contains)) {
                ofStock.add(use.owner());
            }
        });
        Map<Use, Set<String>> usersByUse = new LinkedHashMap<>();
        api.usersByUse().forEach((use, users) -> {
            Set<String> others = users.stream()
                    .filter(user -> IN_THE_MASTER.stream().anyMatch(user::startsWith))
                    .filter(user -> !NAMED_IN_THE_SITE.contains(user))
                    .collect(Collectors.toSet());
            boolean isClass = use.kind() == UseKind.CLASS;
            boolean isMember = Set.of(UseKind.FIELD, UseKind.REFLECTED_FIELD, UseKind.METHOD, UseKind.INTERFACE_METHOD)
                            .contains(use.kind())
                    && !use.name().equals("<init>");
            if (!others.isEmpty()
                    && !use.owner().startsWith("org/slf4j/")
                    && (isMember || (isClass && !ofStock.contains(use.owner())))) {
                usersByUse.put(use, others);
            }
        });
        return usersByUse;
    }

    private static UsedApi read() throws IOException {
        try (InputStream list = UsedApi.class.getResourceAsStream("used-api.txt")) {
            return UsedApi.parse(new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))
                    .lines()
                    .toList());
        }
    }

    /** Classes that HBase's balancers name, and this test's calls: they are loaded beside Hearth's and would miss them too. */
    private static Set<String> usedByTheStockBalancers() throws IOException {
        Set<String> used = new HashSet<>();
        List<String> open = new ArrayList<>(List.of(
                MasterCalls.class.getName().replace('.', '/'),
                "org/apache/hadoop/hbase/master/balancer/StochasticLoadBalancer"));
        while (!open.isEmpty()) {
            String name = open.remove(open.size() - 1);
            try (InputStream in = MasterWithoutOneUse.class.getClassLoader().getResourceAsStream(name + ".class")) {
                if (in == null) {
                    continue;
                }
                for (Use use : ClassFile.read(in).uses()) {
                    if (used.add(use.owner())
                            && use.owner().startsWith("org/apache/hadoop/hbase/master/balancer/")
                            && !use.owner().contains("/Hearth")) {
                        open.add(use.owner());
                    }
                }
            }
        }
        return used;
    }
}
