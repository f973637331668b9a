package io.hearth.docs;

import io.hearth.balancer.hbase.BalancerCounter;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.balancer.load.LoadDimension;
import io.hearth.datanode.grace.GraceCounter;
import io.hearth.healing.hbase.HealingMetricRegistry;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.model.SkipReason;
import io.hearth.web.hbase.PageCounter;
import io.hearth.web.hbase.PageMetrics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/** The text of docs/metrics.md, made from what the code says of its metrics. */
final class MetricsPage {

    /** A row: the metric's name, what kind it is, its unit, what it means. */
    record Row(String name, String kind, String unit, String meaning) {}

    private static final String HEAD =
            """
            # Metrics

            Made from the code; a test holds it. All of them are low in number: one for each thing counted, none for each region or table. Counters count from the start of the process.

            Those of the HMaster are in HBase's own metric registry, so that `/jmx` and `/prometheus` of its web UI have them, without a port of their own. The name is the one in `/prometheus`; in
            `/jmx` it is the last part of it, `ReadsMaxOverMean` for `hearth_balancer_reads_max_over_mean`. `conf/prometheus` has alert rules and the lines that make Prometheus ask for them, `conf/grafana`
            a dashboard; [operating.md](operating.md#symptom-metric-what-to-do) goes from the symptom to what to do.
            """;

    private MetricsPage() {}

    static String text() {
        StringBuilder text = new StringBuilder(HEAD);
        registries()
                .forEach((info, rows) -> section(
                        text,
                        "HMaster, bean `Hadoop:service=HBase,name=Master,sub=" + info.getMetricsName() + "`",
                        row -> prometheus(info, row),
                        rows));
        section(
                text,
                "DataNode with the third jar, bean `Hadoop:service=DataNode,name=HearthGrace`, in `/jmx` alone",
                Row::name,
                grace());
        return text.toString();
    }

    /** The registries of the HMaster, each with its rows. */
    static Map<MetricRegistryInfo, List<Row>> registries() {
        Map<MetricRegistryInfo, List<Row>> rowsByRegistry = new LinkedHashMap<>();
        rowsByRegistry.put(BalancerMetrics.INFO, balancer());
        rowsByRegistry.put(HealingMetricRegistry.INFO, healing());
        rowsByRegistry.put(PageMetrics.INFO, page());
        return rowsByRegistry;
    }

    /** Every name on the page that the HMaster prints at {@code /prometheus}. */
    static Set<String> prometheusNames() {
        Set<String> names = new TreeSet<>();
        registries().forEach((info, rows) -> rows.forEach(row -> names.add(prometheus(info, row))));
        return names;
    }

    /** As HBase's PrometheusHadoopServlet makes a name, of the names that we have: words by capitals. */
    private static String prometheus(MetricRegistryInfo info, Row row) {
        return (info.getMetricsName() + "_" + row.name())
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }

    private static void section(StringBuilder text, String title, Function<Row, String> name, List<Row> rows) {
        text.append("\n## ").append(title).append("\n\n| metric | kind | unit | what it is |\n|---|---|---|---|\n");
        for (Row row : rows) {
            text.append("| `%s` | %s | %s | %s |\n".formatted(name.apply(row), row.kind(), row.unit(), row.meaning()));
        }
    }

    private static List<Row> balancer() {
        List<Row> rows = new ArrayList<>();
        for (BalancerCounter counter : BalancerCounter.values()) {
            rows.add(counter(counter.metric(), counter.doc()));
        }
        for (LoadDimension dimension : LoadDimension.values()) {
            rows.add(new Row(
                    BalancerMetrics.gauge(dimension),
                    "gauge",
                    "fair shares",
                    "Max/mean of " + dimension.label() + " over the servers, before the last plan."));
        }
        rows.add(new Row(
                BalancerMetrics.SUSPECTS,
                "gauge",
                "servers",
                "Servers that serve much less than is asked of them: they are given no regions for the sake of heat."));
        rows.add(new Row(
                BalancerMetrics.ADVICE_ONLY,
                "gauge",
                "0 or 1",
                "1 while plans are made and none is carried out: by the configuration, or because somebody"
                        + " asked for it."));
        return rows;
    }

    private static List<Row> healing() {
        List<Row> rows = new ArrayList<>();
        for (HealingCounter counter : HealingCounter.values()) {
            rows.add(counter(counter.metric(), counter.doc()));
        }
        for (SkipReason reason : SkipReason.values()) {
            rows.add(counter(HealingMetricRegistry.metric(reason), "Skipped: " + reason.doc() + "."));
        }
        for (HealingGauge gauge : HealingGauge.values()) {
            rows.add(new Row(gauge.metric(), "gauge", unit(gauge.metric(), gauge.doc()), gauge.doc()));
        }
        return rows;
    }

    private static List<Row> page() {
        List<Row> rows = new ArrayList<>();
        for (PageCounter counter : PageCounter.values()) {
            rows.add(counter(counter.metric(), counter.doc()));
        }
        rows.add(new Row(PageMetrics.PUBLISH_MS, "gauge", "ms", "What making the page's answers took last."));
        return rows;
    }

    private static List<Row> grace() {
        List<Row> rows = new ArrayList<>();
        for (GraceCounter counter : GraceCounter.values()) {
            rows.add(counter(counter.metric(), counter.doc() + "."));
        }
        rows.add(new Row("PendingReplicas", "gauge", "replicas", "Replicas whose deletion waits."));
        rows.add(new Row("PendingBytes", "gauge", "bytes", "Bytes of those replicas."));
        rows.add(new Row("GraceMs", "gauge", "ms", "How long deletions wait; 0 if they don't."));
        rows.add(new Row("MaxReplicas", "gauge", "replicas", "How many deletions wait at most."));
        rows.add(new Row("MaxBytes", "gauge", "bytes", "Bytes of the replicas whose deletion waits, at most."));
        rows.add(new Row("ConfigProblems", "gauge", "keys", "Keys and values of hearth.datanode that can't be used."));
        return rows;
    }

    private static Row counter(String name, String meaning) {
        return new Row(name, "counter", unit(name, meaning), meaning);
    }

    /** By the name, which begins or ends with what is counted; "times" where it says nothing. */
    private static String unit(String name, String meaning) {
        if (meaning.startsWith("1 if ")) {
            return "0 or 1";
        }
        if (name.endsWith("PerSecond")) {
            return "bytes/s";
        }
        if (name.endsWith("Ms")) {
            return "ms";
        }
        String lower = name.toLowerCase(Locale.ROOT);
        List<String> units =
                List.of("bytes", "regions", "blocks", "moves", "plans", "looks", "requests", "actions", "pressures");
        Optional<String> first = units.stream().filter(lower::startsWith).findFirst();
        return first.or(() -> units.stream().filter(lower::endsWith).findFirst())
                .orElse("times");
    }
}
