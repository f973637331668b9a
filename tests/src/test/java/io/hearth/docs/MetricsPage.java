// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.hbase.BalancerMetrics.BalancerCounter;
import io.hearth.balancer.hbase.MasterMeterMetrics;
import io.hearth.balancer.hbase.MasterMeterMetrics.MasterMetric;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.NamedMetric;
import io.hearth.datanode.cache.ReadCacheCounts.Counter;
import io.hearth.datanode.deletion.ReplicaDeletionDelay.DeletionDelayCounts.DeletionDelayCounter;
import io.hearth.datanode.hdfs.ReadCacheMetrics;
import io.hearth.datanode.hdfs.ReadCacheMetrics.Gauge;
import io.hearth.datanode.hdfs.ReadCacheMetrics.ShadowCounter;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.SkipReason;
import io.hearth.ui.hbase.UiMetrics;
import io.hearth.ui.hbase.UiMetrics.UiCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;

/** The text of docs/metrics.md, made from what the code says of its metrics. */
final class MetricsPage {

    /** A row: the metric's name, what kind it is, its unit, what it means. */
    record Row(String name, String kind, String unit, String meaning) {}

    private static final String HEAD =
            """
            # Metrics and alerts

            Made from the code and from `conf/prometheus/hearth-alerts.yml`; a test holds it. None is per region or table. Counters start with the process.

            `/jmx` and `/prometheus` of the HMaster's web UI have its metrics. Names here are those of `/prometheus`; in `/jmx` `hearth_balancer_reads_max_over_mean` is `ReadsMaxOverMean`. `conf/prometheus/scrape.yml` makes Prometheus read them, `conf/grafana/hearth-dashboard.json` is a dashboard, `hearth-slo-dashboard.json` that of the [SLO watch](slo.md). Alerts and dashboards keep clusters apart by the label `cluster`, which `scrape.yml` gives.
            """;

    private static final String DATANODE =
            """

            ## DataNode with the third jar

            Names are those of `/jmx`. With `hadoop.prometheus.endpoint.enabled`, `/prom` has `Hits` of the read cache as `hearth_read_cache_hits`.
            """;

    private static final String SHADOW =
            """

            Each cache that is simulated is a record `HearthReadCacheShadow`, tagged `Variant` (reads/minutes/bytes): %s and the gauge `UsedBytes`. In `/jmx` these names end with its number.
            """;

    private static final String DIMENSIONS =
            """

            Each of the gauges of `%s` is there for %s too.
            """;

    private MetricsPage() {}

    static String text() {
        StringBuilder text = new StringBuilder(HEAD);
        registries().forEach((info, rows) -> {
            section(
                    text,
                    "HMaster, bean `Hadoop:service=HBase,name=Master,sub=" + info.getMetricsName() + "`",
                    row -> prometheus(info, row),
                    withoutOtherDimensions(rows));
            if (info.equals(BalancerMetrics.INFO)) {
                text.append(dimensions());
            }
        });
        alerts(text);
        text.append(DATANODE);
        section(text, "Deletion delay, bean `Hadoop:service=DataNode,name=HearthDeletionDelay`", Row::name, grace());
        section(text, "Read cache, bean `Hadoop:service=DataNode,name=HearthReadCache`", Row::name, readCache());
        text.append(SHADOW.formatted(Arrays.stream(ShadowCounter.values())
                .map(counter -> "`" + counter.metric() + "`")
                .collect(Collectors.joining(", "))));
        return text.toString();
    }

    /** Gauges that differ in their dimension of load alone have a row for the first. */
    private static List<Row> withoutOtherDimensions(List<Row> rows) {
        return rows.stream()
                .filter(row -> otherDimensions()
                        .noneMatch(dimension ->
                                row.kind().equals("gauge") && row.name().startsWith(dimension.gauge(""))))
                .toList();
    }

    private static Stream<LoadDimension> otherDimensions() {
        return Arrays.stream(LoadDimension.values()).skip(1);
    }

    private static String dimensions() {
        return DIMENSIONS.formatted(
                LoadDimension.values()[0].label(),
                otherDimensions()
                        .map(dimension -> "`" + dimension.label().replace(' ', '_') + "`")
                        .collect(Collectors.joining(", ")));
    }

    /** The registries of the HMaster, each with its rows. */
    static Map<MetricRegistryInfo, List<Row>> registries() {
        Map<MetricRegistryInfo, List<Row>> rowsByRegistry = new LinkedHashMap<>();
        rowsByRegistry.put(BalancerMetrics.INFO, balancer());
        rowsByRegistry.put(HealingMetricRegistry.INFO, healing());
        rowsByRegistry.put(UiMetrics.INFO, page());
        rowsByRegistry.put(MasterMeterMetrics.INFO, master());
        return rowsByRegistry;
    }

    /** Every name on the page that the HMaster prints at {@code /prometheus}. */
    static Set<String> prometheusNames() {
        Set<String> names = new TreeSet<>();
        registries().forEach((info, rows) -> rows.forEach(row -> names.add(prometheus(info, row))));
        return names;
    }

    /** The names of the read cache's bean, and of the caches that it simulates, as a DataNode prints them at {@code /prom}. */
    static Set<String> readCachePrometheusNames() {
        PrometheusMetricsSink sink = new PrometheusMetricsSink();
        Stream<String> simulated = Stream.concat(
                        Stream.of(ShadowCounter.values()).map(NamedMetric::metric),
                        Stream.of(ReadCacheMetrics.USED_BYTES))
                .map(name -> sink.prometheusName(ReadCacheMetrics.SHADOW_NAME, name));
        return Stream.concat(
                        readCache().stream().map(row -> sink.prometheusName(ReadCacheMetrics.NAME, row.name())),
                        simulated)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** As HBase's PrometheusHadoopServlet makes a name, of the names that we have: words by capitals. */
    private static String prometheus(MetricRegistryInfo info, Row row) {
        return (info.getMetricsName() + "_" + row.name())
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }

    private static void section(StringBuilder text, String title, Function<Row, String> name, List<Row> rows) {
        text.append("\n## ").append(title).append("\n");
        if (rows.stream().anyMatch(row -> row.kind().equals("counter"))) {
            text.append("\n| counter | of what |\n|---|---|\n");
        }
        rows.stream()
                .filter(row -> row.kind().equals("counter"))
                .forEach(row -> text.append("| `%s` | %s |\n".formatted(name.apply(row), row.meaning())));
        text.append("\n| gauge | unit | of what |\n|---|---|---|\n");
        rows.stream()
                .filter(row -> row.kind().equals("gauge"))
                .forEach(row ->
                        text.append("| `%s` | %s | %s |\n".formatted(name.apply(row), row.unit(), row.meaning())));
    }

    /** Every alert rule: what it says, by which metrics, and what to do. */
    private static void alerts(StringBuilder text) {
        text.append(
                """

                ## Alerts

                The rules of `conf/prometheus/hearth-alerts.yml`. Thresholds that depend on the cluster are marked `Yours:` there.

                | alert | says | metric | what to do |
                |---|---|---|---|
                """);
        for (MonitoringFiles.Alert alert : MonitoringFiles.alerts()) {
            text.append("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            alert.name(),
                            alert.annotations().get("summary").replace("{{ $labels.hostname }}", "a RegionServer"),
                            PromExpression.selectors(alert.expression()).stream()
                                    .map(PromExpression.Selector::metric)
                                    .distinct()
                                    .limit(1)
                                    .map("`%s`"::formatted)
                                    .collect(Collectors.joining(", ")),
                            alert.annotations().get("action")));
        }
    }

    private static List<Row> balancer() {
        List<Row> rows = counters(BalancerCounter.values());
        for (LoadDimension dimension : LoadDimension.values()) {
            rows.add(new Row(
                    dimension.gauge(),
                    "gauge",
                    "fair shares",
                    "Max/mean of " + dimension.label()
                            + " over the servers, before the plans of the last run; of RSGroups the highest."));
        }
        BalancerMetrics.serverGauges()
                .forEach(gauge -> rows.add(new Row(gauge.metric(), "gauge", gauge.unit(), gauge.doc())));
        rows.add(new Row(
                BalancerMetrics.SUSPECTS, "gauge", "servers", "Suspect servers, which get no regions for heat."));
        rows.add(new Row(
                BalancerMetrics.FLAPPING,
                "gauge",
                "servers",
                "Servers that were restarted three times within an hour; they get no regions for an hour."));
        rows.add(new Row(BalancerMetrics.ADVICE_ONLY, "gauge", "0/1", "1 while plans are advice only."));
        rows.add(new Row(BalancerMetrics.RESTING, "gauge", "0/1", "1 while HBase lacks what Hearth needs."));
        rows.add(new Row(BalancerMetrics.BRAKED, "gauge", "0/1", "1 while an SLO watch brakes."));
        rows.add(new Row(
                BalancerMetrics.WITHOUT_CANARY,
                "gauge",
                "servers",
                "Servers without a canary region after the last run."));
        return rows;
    }

    private static List<Row> healing() {
        List<Row> rows = counters(HealingCounter.values());
        for (SkipReason reason : SkipReason.values()) {
            rows.add(counter(HealingMetricRegistry.metric(reason), sentence(reason.doc())));
        }
        for (HealingGauge gauge : HealingGauge.values()) {
            rows.add(new Row(gauge.metric(), "gauge", unit(gauge.metric(), gauge.doc()), gauge.doc()));
        }
        return rows;
    }

    private static List<Row> page() {
        List<Row> rows = counters(UiCounter.values());
        rows.add(new Row(UiMetrics.PUBLISH_MS, "gauge", "ms", "Time that making the page's answers took last."));
        rows.add(new Row(
                UiMetrics.SLOW_PEERS,
                "gauge",
                "DataNodes",
                "DataNodes that others find slow, by the doctor's last round; -1: not known."));
        rows.add(new Row(
                UiMetrics.SLOW_DISKS,
                "gauge",
                "volumes",
                "Volumes slower than the others of their DataNode, by the doctor's last round; -1: not known."));
        return rows;
    }

    private static List<Row> master() {
        return Arrays.stream(MasterMetric.values())
                .map(metric -> new Row(metric.metric(), "gauge", metric.unit(), metric.doc()))
                .toList();
    }

    private static List<Row> grace() {
        List<Row> rows = counters(DeletionDelayCounter.values());
        rows.add(new Row("PendingReplicas", "gauge", "replicas", "Replicas whose deletion waits."));
        rows.add(new Row("PendingBytes", "gauge", "bytes", "Bytes of those replicas."));
        rows.add(new Row("DelayMs", "gauge", "ms", "How long deletions wait; 0 if they don't."));
        rows.add(new Row("MaxReplicas", "gauge", "replicas", "How many deletions wait at most."));
        rows.add(new Row("MaxBytes", "gauge", "bytes", "Bytes of the replicas whose deletion waits, at most."));
        rows.add(new Row("ConfigProblems", "gauge", "keys", "Keys and values of hearth.datanode that can't be used."));
        return rows;
    }

    private static List<Row> readCache() {
        List<Row> rows = counters(Counter.values());
        rows.add(counter(ReadCacheMetrics.TRIPS, "Times that a failing SSD switched the cache off."));
        rows.add(new Row(ReadCacheMetrics.SAVED_MS, "gauge", "ms", ReadCacheMetrics.SAVED_MS_DOC + "."));
        for (Gauge gauge : Gauge.values()) {
            rows.add(new Row(gauge.metric(), "gauge", gaugeUnit(gauge.metric()), gauge.doc() + "."));
        }
        return rows;
    }

    private static String gaugeUnit(String name) {
        if (name.endsWith("Ms")) {
            return "ms";
        }
        return Stream.of("Bytes", "Blocks")
                .filter(name::endsWith)
                .findFirst()
                .map(unit -> unit.toLowerCase(Locale.ROOT))
                .orElse("");
    }

    private static String sentence(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
    }

    private static List<Row> counters(NamedMetric[] counters) {
        List<Row> rows = new ArrayList<>();
        for (NamedMetric counter : counters) {
            rows.add(counter(counter.metric(), counter.doc().endsWith(".") ? counter.doc() : counter.doc() + "."));
        }
        return rows;
    }

    private static Row counter(String name, String meaning) {
        return new Row(name, "counter", unit(name, meaning), meaning);
    }

    /** By the name, which begins or ends with what is counted; "times" where it says nothing. */
    private static String unit(String name, String meaning) {
        if (meaning.startsWith("1 if ")) {
            return "0/1";
        }
        if (name.endsWith("PerSecond")) {
            return "bytes/s";
        }
        if (name.endsWith("Ms")) {
            return "ms";
        }
        if (name.endsWith("Percent")) {
            return "%";
        }
        if (name.startsWith("dataNodes")) {
            return "hosts";
        }
        String lower = name.toLowerCase(Locale.ROOT);
        List<String> units = List.of(
                "bytes", "regions", "blocks", "moves", "plans", "polls", "requests", "actions", "throttleReasons");
        Optional<String> first = units.stream().filter(lower::startsWith).findFirst();
        return first.or(() -> units.stream().filter(lower::endsWith).findFirst())
                .orElse("times");
    }
}
