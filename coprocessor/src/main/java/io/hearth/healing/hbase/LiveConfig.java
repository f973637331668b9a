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

/**
 * The configuration of healing that holds now; read anew at each {@code update_config}, or change of its files. Of a value that
 * can't be used the one before still holds. Thread-safe.
 */
final class LiveConfig implements Supplier<HealingConfig> {

    private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);
    private static final String WHERE = "hbase-site.xml";

    private final UnaryOperator<HealingConfig> orders;
    private final HealingMetrics metrics;
    private final Set<ConfigProblem> reported = ConcurrentHashMap.newKeySet();
    private volatile HealingConfig current;
    private HealingConfig lastRead;

    /** @param orders what is made of the configuration before it holds */
    LiveConfig(Configuration conf, UnaryOperator<HealingConfig> orders, HealingMetrics metrics) {
        this.orders = orders;
        this.metrics = metrics;
        HealingSettings.Reading first = HealingSettings.read(WHERE, new ConfigurationSettings(conf));
        this.lastRead = first.config();
        this.current = orders.apply(lastRead);
        tell(first);
    }

    @Override
    public HealingConfig get() {
        return current;
    }

    synchronized void reload(Configuration conf) {
        HealingSettings.Reading reading = HealingSettings.readAgain(WHERE, new ConfigurationSettings(conf), lastRead);
        if (!reading.config().equals(lastRead)) {
            lastRead = reading.config();
            current = orders.apply(lastRead);
            tell(reading);
        } else {
            reading.problems().forEach(this::report);
        }
    }

    private void tell(HealingSettings.Reading reading) {
        reading.problems().forEach(this::report);
        LOG.info("Healing is {} with {}", current.enabled() ? "on" : "OFF", current);
    }

    /** Logs and counts a problem, once. */
    void report(ConfigProblem problem) {
        if (reported.add(problem)) {
            metrics.add(HealingCounter.CONFIG_PROBLEMS, 1);
            LOG.warn("{}", problem.message());
        }
    }
}
