package io.hearth.web.hbase;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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

    /** The gauge of what making the page's answers took last, in milliseconds. */
    public static final String PUBLISH_MS = "publishMs";

    private static final PageMetrics SHARED = new PageMetrics();

    private final Map<PageCounter, Counter> counters = new EnumMap<>(PageCounter.class);
    private final AtomicLong publishMs = new AtomicLong();

    private PageMetrics() {
        MetricRegistry registry = MetricRegistries.global().create(INFO);
        for (PageCounter counter : PageCounter.values()) {
            counters.put(counter, registry.counter(counter.metric()));
        }
        registry.remove(PUBLISH_MS);
        registry.register(PUBLISH_MS, (Gauge<Long>) publishMs::get);
    }

    /** The one of this process. */
    public static PageMetrics shared() {
        return SHARED;
    }

    void requested() {
        add(PageCounter.REQUESTS, 1);
    }

    /** A request or a publication failed. */
    public void failed() {
        add(PageCounter.FAILURES, 1);
    }

    /** An operator asked for something, and it was done. */
    void acted() {
        add(PageCounter.ACTIONS, 1);
    }

    void actionRefused() {
        add(PageCounter.ACTIONS_REFUSED, 1);
    }

    void configProblemsFound(int count) {
        add(PageCounter.CONFIG_PROBLEMS, count);
    }

    /** So long it took to make what is answered from. */
    void published(long ms) {
        publishMs.set(ms);
    }

    private void add(PageCounter counter, long count) {
        Objects.requireNonNull(counters.get(counter)).increment(count);
    }
}
