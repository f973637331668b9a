// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.client;

import io.hearth.cli.heal.RegionMetricsFetcher;
import io.hearth.cli.heal.SiteConfigLoader;
import io.hearth.common.http.BoundedHttpClient;
import io.hearth.doctor.check.Doctor;
import io.hearth.doctor.hbase.ClusterProbe;
import io.hearth.doctor.hbase.ClusterProbe.DoctorLimits;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.ClustersFile.BudgetSource;
import io.hearth.fleet.model.ClustersFile.Cluster;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import io.hearth.fleet.model.FleetRow.WorstFinding;
import io.hearth.fleet.model.FleetSource;
import io.hearth.slo.metrics.SloMetrics;
import io.hearth.slo.objective.ObjectiveTracker;
import io.hearth.slo.objective.ObjectivesFile;
import io.hearth.slo.store.SloReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** The clusters of a fleet, each asked with the client configuration of its own folder alone, in this process. Thread-safe. */
public final class FleetClient implements FleetSource {

    private static final int OBSERVE_SECONDS = 2;

    /** Longer than the days of any objective. */
    private static final Duration KEPT = Duration.ofDays(36);

    /** An SLO watch that stored its last minute longer ago does not run. */
    private static final Duration SILENT = Duration.ofMinutes(10);

    /** Of the metrics of an SLO watch of 1,000 servers, which are about 1 MB. */
    private static final int MOST_METRICS_BYTES = 16 << 20;

    private static final int EXAMINED_AT_A_TIME = 8;

    private final Map<String, Configuration> siteByCluster;

    /** Why nobody can be asked by the files of a cluster, or by the login that they need. */
    private final Map<String, IOException> problemByCluster;

    private final Duration deadline;
    private final LongSupplier nowMs;

    private FleetClient(
            Map<String, Configuration> siteByCluster,
            Map<String, IOException> problemByCluster,
            Duration deadline,
            LongSupplier nowMs) {
        this.siteByCluster = siteByCluster;
        this.problemByCluster = problemByCluster;
        this.deadline = deadline;
        this.nowMs = nowMs;
    }

    /**
     * Reads the configurations of these clusters; none is asked yet. A process has one login: where one of them has Kerberos all are asked
     * by it. A file that can't be read, and a login that is not to be had, is the trouble of its own clusters alone.
     *
     * @param nowMs the wall clock, in ms since 1970
     */
    public static FleetClient of(List<Cluster> clusters, Duration deadline, LongSupplier nowMs) {
        Map<String, Configuration> siteByCluster = new HashMap<>();
        Map<String, IOException> problemByCluster = new HashMap<>();
        Map<String, Configuration> withKerberos = new LinkedHashMap<>();
        for (Cluster cluster : clusters) {
            if (Files.isReadable(cluster.configuration().resolve("hbase-site.xml"))) {
                try {
                    Configuration site = SiteConfigLoader.ofFolderAlone(cluster.configuration());
                    siteByCluster.put(cluster.name(), site);
                    if ("kerberos".equalsIgnoreCase(site.get("hadoop.security.authentication"))) {
                        withKerberos.put(cluster.name(), site);
                    }
                } catch (RuntimeException malformed) {
                    problemByCluster.put(cluster.name(), unreadable(cluster, malformed));
                }
            }
        }
        withKerberos.values().stream().findFirst().flatMap(FleetClient::noLogin).ifPresent(why -> withKerberos
                .keySet()
                .forEach(cluster -> problemByCluster.put(cluster, why)));
        return new FleetClient(Map.copyOf(siteByCluster), Map.copyOf(problemByCluster), deadline, nowMs);
    }

    /** What Hadoop says of a file that is half written, or includes one that is not here, is in its cause. */
    private static IOException unreadable(Cluster cluster, RuntimeException malformed) {
        Throwable cause = malformed.getCause() == null ? malformed : malformed.getCause();
        return new IOException(
                cluster.configuration() + " can't be read: "
                        + String.valueOf(cause.getMessage()).lines().findFirst().orElse(""),
                malformed);
    }

    /** Why this process has no login by this configuration; empty where it has one. */
    private static Optional<IOException> noLogin(Configuration site) {
        try {
            SiteConfigLoader.prepareLogin(site);
            return Optional.empty();
        } catch (IOException none) {
            return Optional.of(none);
        }
    }

    private Configuration site(Cluster cluster) throws IOException {
        IOException problem = problemByCluster.get(cluster.name());
        if (problem != null) {
            throw problem;
        }
        Configuration site = siteByCluster.get(cluster.name());
        if (site == null) {
            throw new IOException(cluster.configuration() + " has no hbase-site.xml that can be read");
        }
        SiteConfigLoader.checkZooKeeperHosts(site);
        return site;
    }

    @Override
    public Status status(Cluster cluster) throws IOException {
        // One server that hangs is to be a figure of the row, and not the whole row.
        Duration ofServers = deadline.dividedBy(3);
        Duration longest =
                ofServers.compareTo(RegionMetricsFetcher.LONGEST) < 0 ? ofServers : RegionMetricsFetcher.LONGEST;
        try (ClusterClient client = ClusterClient.open(site(cluster), longest)) {
            ClusterClient.Observation seen = client.observe(OBSERVE_SECONDS);
            return new Status(
                    ClusterHealth.of(ClusterSummaryReader.read(seen.page()), seen.byMaster(), seen.silentServers()),
                    doctor(seen));
        }
    }

    /** What the doctor in the master found last: to be asked for its state has it examine the cluster, now and then. */
    private static ProbeResult<DoctorSummary> doctor(ClusterClient.Observation seen) {
        if (!seen.byMaster()) {
            return ProbeResult.unknown("none is in the master; --examine asks one here");
        }
        JsonObject doctor = seen.page().getAsJsonObject("doctor");
        if (doctor == null || !doctor.has("atMs")) {
            return ProbeResult.unknown("the master's has not ended yet; ask again in a minute");
        }
        Stream<JsonElement> findings =
                StreamSupport.stream(doctor.getAsJsonArray("findings").spliterator(), false);
        return ProbeResult.known(
                DoctorSummary.of(findings.map(JsonElement::getAsJsonObject).map(FleetClient::finding)));
    }

    private static WorstFinding finding(JsonObject finding) {
        return new WorstFinding(
                Severity.valueOf(finding.get("severity").getAsString()),
                finding.get("check").getAsString(),
                finding.get("what").getAsString());
    }

    @Override
    public DoctorSummary examine(Cluster cluster) throws IOException {
        return DoctorSummary.of(Doctor.findings(ClusterProbe.examine(site(cluster), limits(deadline))));
    }

    /**
     * In nine tenths of what time there is, so that what is known when it is over comes in time; half of it is for what is counted
     * twice.
     */
    static DoctorLimits limits(Duration deadline) {
        return new DoctorLimits(EXAMINED_AT_A_TIME, deadline.multipliedBy(9).dividedBy(10), deadline.dividedBy(2));
    }

    @Override
    public List<BudgetLeft> budgets(Cluster cluster) throws IOException {
        BudgetSource source = cluster.budgets().orElseThrow();
        if (source instanceof BudgetSource.Store store) {
            return stored(store);
        }
        return scraped(((BudgetSource.Metrics) source).url());
    }

    private List<BudgetLeft> scraped(String url) throws IOException {
        HttpResponse<byte[]> answer;
        try {
            answer = BoundedHttpClient.get(url, deadline, MOST_METRICS_BYTES);
        } catch (TimeoutException late) {
            throw new IOException(url + " has not answered", late);
        } catch (IOException failure) {
            throw new IOException(url + " can't be read: " + failure, failure);
        }
        if (answer.statusCode() != BoundedHttpClient.OK) {
            throw new IOException(url + " has answered with status " + answer.statusCode());
        }
        List<BudgetLeft> budgets = new ArrayList<>();
        SloMetrics.budgetLeftShares(new String(answer.body(), StandardCharsets.UTF_8))
                .forEach((objective, share) -> budgets.add(new BudgetLeft(objective, share)));
        if (budgets.isEmpty()) {
            throw new IOException(url + " tells of no error budget; slo run --objectives makes it do so");
        }
        return budgets;
    }

    private List<BudgetLeft> stored(BudgetSource.Store store) throws IOException {
        ObjectivesFile objectives = ObjectivesFile.parse(
                text(store.objectives()), store.objectives().toString());
        if (!objectives.problems().isEmpty()) {
            throw new IOException(objectives.problems().get(0));
        }
        List<String> instances = SloReader.instances(store.folder());
        if (instances.isEmpty()) {
            throw new IOException("no slo run has stored anything in " + store.folder());
        }
        ObjectiveTracker tracker = new ObjectiveTracker(objectives.objectives());
        AtomicLong lastMs = new AtomicLong();
        long now = nowMs.getAsLong();
        List<String> problems = new ArrayList<>();
        SloReader.of(store.folder(), instances, problems::add)
                .clusterMinutes(now - KEPT.toMillis(), now + KEPT.toMillis(), minute -> {
                    tracker.accept(minute);
                    lastMs.accumulateAndGet(minute.startMs(), Math::max);
                });
        if (now - lastMs.get() > SILENT.toMillis()) {
            throw new IOException(
                    "slo run has stored nothing in " + store.folder() + " for " + SILENT.toMinutes() + " minutes");
        }
        if (!problems.isEmpty()) {
            throw new IOException(problems.get(0));
        }
        List<BudgetLeft> budgets = new ArrayList<>();
        tracker.status(now).forEach(status -> status.budgetLeftShare()
                .ifPresent(
                        share -> budgets.add(new BudgetLeft(status.objective().name(), share))));
        return budgets;
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IOException(file + " can't be read as a text in UTF-8: " + unreadable, unreadable);
        }
    }
}
