package io.hearth.healing.hbase;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.hbase.ConfigurationSettings;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.config.HealingSettings;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingMetrics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration of healing that holds now; read anew at each {@code update_config}. Thread-safe. */
final class LiveConfig implements Supplier<HealingConfig> {

    private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);

    private final Configuration conf;
    private final UnaryOperator<HealingConfig> orders;
    private final HealingMetrics metrics;
    private final Set<ConfigProblem> reported = ConcurrentHashMap.newKeySet();
    private volatile HealingConfig current;

    /** @param orders what is made of the configuration before it holds */
    LiveConfig(Configuration conf, UnaryOperator<HealingConfig> orders, HealingMetrics metrics) {
        this.conf = conf;
        this.orders = orders;
        this.metrics = metrics;
        reload();
    }

    @Override
    public HealingConfig get() {
        return current;
    }

    synchronized void reload() {
        HealingSettings.Reading reading = HealingSettings.read("hbase-site.xml", new ConfigurationSettings(conf));
        reading.problems().forEach(this::report);
        HealingConfig next = orders.apply(reading.config());
        if (!next.equals(current)) {
            current = next;
            LOG.info("Healing is {} with {}", current.enabled() ? "on" : "OFF", current);
        }
    }

    /** Logs and counts a problem, once. */
    void report(ConfigProblem problem) {
        if (reported.add(problem)) {
            metrics.add(HealingCounter.CONFIG_PROBLEMS, 1);
            LOG.warn("{}", problem.message());
        }
    }
}
