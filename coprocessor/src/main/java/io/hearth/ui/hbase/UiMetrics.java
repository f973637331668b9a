// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.hbase;

import io.hearth.common.model.NamedMetric;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;

/** What the page counts, under {@code Master,sub=HearthUi}. Thread-safe. Masters in one JVM share the counts. */
public final class UiMetrics {

    /** Where the metrics are found in the global registries. */
    public static final MetricRegistryInfo INFO = new MetricRegistryInfo(
            "HearthUi", "Hearth's page in the master's web UI", "Master,sub=HearthUi", "master", false);

    /** The gauge of what making the page's answers took last, in milliseconds. */
    public static final String PUBLISH_MS = "publishMs";

    /** The gauge of DataNodes that others find slow, by the doctor's last round; -1 while nobody knows. */
    public static final String SLOW_PEERS = "slowPeers";

    /** The gauge of volumes that are slower than the others of their DataNode, by the doctor's last round; -1 while nobody knows. */
    public static final String SLOW_DISKS = "slowDisks";

    private static final long UNKNOWN = -1;

    private static final UiMetrics SHARED = new UiMetrics();

    private final Map<UiCounter, Counter> counters = new EnumMap<>(UiCounter.class);
    private final AtomicLong publishMs = new AtomicLong();
    private final AtomicLong slowPeers = new AtomicLong(UNKNOWN);
    private final AtomicLong slowDisks = new AtomicLong(UNKNOWN);

    private UiMetrics() {
        MetricRegistry registry = MetricRegistries.global().create(INFO);
        for (UiCounter counter : UiCounter.values()) {
            counters.put(counter, registry.counter(counter.metric()));
        }
        show(registry, PUBLISH_MS, publishMs);
        show(registry, SLOW_PEERS, slowPeers);
        show(registry, SLOW_DISKS, slowDisks);
    }

    private static void show(MetricRegistry registry, String name, AtomicLong value) {
        registry.remove(name);
        registry.register(name, (Gauge<Long>) value::get);
    }

    /** The one of this process. */
    public static UiMetrics shared() {
        return SHARED;
    }

    void requested() {
        add(UiCounter.REQUESTS, 1);
    }

    /** A request or a publication failed, perhaps because HBase's metrics are others: throws nothing. */
    public void failed() {
        try {
            add(UiCounter.FAILURES, 1);
        } catch (LinkageError uncounted) {
            // The log has it.
        }
    }

    /** An operator asked for something, and it was done. */
    void acted() {
        add(UiCounter.ACTIONS, 1);
    }

    void actionRefused() {
        add(UiCounter.ACTIONS_REFUSED, 1);
    }

    void configProblemsFound(int count) {
        add(UiCounter.CONFIG_PROBLEMS, count);
    }

    /** So long it took to make what is answered from. */
    void published(long ms) {
        publishMs.set(ms);
    }

    /** So many are slow; empty where that is not measured. */
    void slowNodes(OptionalInt peers, OptionalInt disks) {
        slowPeers.set(peers.isPresent() ? peers.getAsInt() : UNKNOWN);
        slowDisks.set(disks.isPresent() ? disks.getAsInt() : UNKNOWN);
    }

    private void add(UiCounter counter, long count) {
        Objects.requireNonNull(counters.get(counter)).increment(count);
    }

    /** What the page counts, from the start of the master. The name is the metric's name in {@code /jmx}. */
    public enum UiCounter implements NamedMetric {
        REQUESTS("requests", "Requests under /hearth."),
        FAILURES("failures", "Requests, publications and rounds of the doctor that failed."),
        ACTIONS("actions", "Actions of operators carried out."),
        ACTIONS_REFUSED("actionsRefused", "Actions refused: a permission, a header or a key is missing."),
        CONFIG_PROBLEMS("configProblems", "Values of the page's keys that can't be used.");

        private final MetricText text;

        UiCounter(String metric, String doc) {
            text = new MetricText(metric, doc);
        }

        @Override
        public MetricText text() {
            return text;
        }
    }
}
