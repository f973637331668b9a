package io.hearth.web.hbase;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/** What the page counts, under {@code Master,sub=HearthPage}. Thread-safe. Masters in one JVM share the counts. */
public final class PageMetrics {

    /** Where the metrics are found in the global registries. */
    public static final MetricRegistryInfo INFO = new MetricRegistryInfo(
            "HearthPage", "Hearth's page in the master's web UI", "Master,sub=HearthPage", "master", false);

    private static final PageMetrics SHARED = new PageMetrics();

    private final Counter requests;
    private final Counter failures;
    private final Counter actions;
    private final Counter actionsRefused;
    private final Counter configProblems;
    private final AtomicLong publishMs = new AtomicLong();

    private PageMetrics() {
        MetricRegistry registry = MetricRegistries.global().create(INFO);
        requests = registry.counter("requests");
        failures = registry.counter("failures");
        actions = registry.counter("actions");
        actionsRefused = registry.counter("actionsRefused");
        configProblems = registry.counter("configProblems");
        registry.remove("publishMs");
        registry.register("publishMs", (Gauge<Long>) publishMs::get);
    }

    /** The one of this process. */
    public static PageMetrics shared() {
        return SHARED;
    }

    void requested() {
        requests.increment();
    }

    /** A request or a publication failed. */
    public void failed() {
        failures.increment();
    }

    /** An operator asked for something, and it was done. */
    void acted() {
        actions.increment();
    }

    void actionRefused() {
        actionsRefused.increment();
    }

    void configProblemsFound(int count) {
        configProblems.increment(count);
    }

    /** So long it took to make what is answered from. */
    void published(long ms) {
        publishMs.set(ms);
    }
}
