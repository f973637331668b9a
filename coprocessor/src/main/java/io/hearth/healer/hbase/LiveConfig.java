// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.hadoop.ConfigurationSettings;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.config.HealingSettings.HealingConfig;
import io.hearth.healer.metrics.HealingMetrics;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
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

    /** A problem that nobody has found for so long is new when it is found again; its table may be gone. */
    private static final long FORGET_MS = 86_400_000;

    private final UnaryOperator<HealingConfig> override;
    private final HealingMetrics metrics;
    private final LongSupplier clockMs;
    private final Map<ConfigProblem, Long> reportedMs = new HashMap<>();
    private volatile HealingConfig current;
    private HealingConfig lastRead;

    LiveConfig(Configuration conf, UnaryOperator<HealingConfig> override, HealingMetrics metrics) {
        this(conf, override, metrics, () -> System.nanoTime() / 1_000_000);
    }

    /**
     * @param override what is made of the configuration before it holds
     * @param clockMs a clock that does not go back
     */
    LiveConfig(
            Configuration conf, UnaryOperator<HealingConfig> override, HealingMetrics metrics, LongSupplier clockMs) {
        this.clockMs = clockMs;
        this.override = override;
        this.metrics = metrics;
        HealingSettings.Reading first = HealingSettings.read(WHERE, new ConfigurationSettings(conf));
        this.lastRead = first.config();
        this.current = override.apply(lastRead);
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
            current = override.apply(lastRead);
            tell(reading);
        } else {
            reading.problems().forEach(this::report);
        }
    }

    private void tell(HealingSettings.Reading reading) {
        reading.problems().forEach(this::report);
        LOG.info("Healing is {} with {}", current.enabled() ? "on" : "OFF", current);
    }

    /** Logs and counts a problem, once for as long as it is found. */
    void report(ConfigProblem problem) {
        if (isNew(problem)) {
            metrics.add(HealingCounter.CONFIG_PROBLEMS, 1);
            LOG.warn("{}", problem.message());
        }
    }

    private boolean isNew(ConfigProblem problem) {
        long nowMs = clockMs.getAsLong();
        synchronized (reportedMs) {
            reportedMs.values().removeIf(lastMs -> nowMs - lastMs > FORGET_MS);
            return reportedMs.put(problem, nowMs) == null;
        }
    }
}
