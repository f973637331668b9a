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
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The text of docs/metrics.md, made from what the code says of its metrics. */
final class MetricsPage {

    /** A row: the metric's name, what kind it is, its unit, what it means. */
    record Row(String name, String kind, String unit, String meaning) {

        @Override
        public String toString() {
            return "| `" + name + "` | " + kind + " | " + unit + " | " + meaning + " |";
        }
    }

    private static final String HEAD =
            """
            # Metrics

            Made from the code; a test holds it. All of them are low in number: one for each thing counted, none for each region or table. Counters count from the start of the process.

            Those of the HMaster are in HBase's own metric registry, so that `/jmx` and `/prometheus` of its web UI have them, without a port of their own. In `/prometheus` a name is the bean's and the
            metric's, in small letters with underscores.
            """;

    private MetricsPage() {}

    static String text() {
        StringBuilder text = new StringBuilder(HEAD);
        section(text, "HMaster, bean `Hadoop:service=HBase,name=Master,sub=HearthBalancer`", balancer());
        section(text, "HMaster, bean `Hadoop:service=HBase,name=Master,sub=HearthHealing`", healing());
        section(text, "HMaster, bean `Hadoop:service=HBase,name=Master,sub=HearthPage`", page());
        section(text, "DataNode with the third jar, bean `Hadoop:service=DataNode,name=HearthGrace`", grace());
        return text.toString();
    }

    private static void section(StringBuilder text, String title, List<Row> rows) {
        text.append("\n## ").append(title).append("\n\n| metric | kind | unit | what it is |\n|---|---|---|---|\n");
        rows.forEach(row -> text.append(row).append('\n'));
    }

    static List<Row> balancer() {
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
        return rows;
    }

    static List<Row> healing() {
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

    static List<Row> page() {
        List<Row> rows = new ArrayList<>();
        for (PageCounter counter : PageCounter.values()) {
            rows.add(counter(counter.metric(), counter.doc()));
        }
        rows.add(new Row(PageMetrics.PUBLISH_MS, "gauge", "ms", "What making the page's answers took last."));
        return rows;
    }

    static List<Row> grace() {
        List<Row> rows = new ArrayList<>();
        for (GraceCounter counter : GraceCounter.values()) {
            rows.add(counter(counter.metric(), counter.doc() + "."));
        }
        rows.add(new Row("PendingReplicas", "gauge", "replicas", "Replicas whose deletion waits."));
        rows.add(new Row("PendingBytes", "gauge", "bytes", "Bytes of those replicas."));
        rows.add(new Row("GraceMs", "gauge", "ms", "How long deletions wait; 0 if they don't."));
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
