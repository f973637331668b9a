// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.chaos;

import com.google.gson.JsonObject;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.healer.metrics.HealLimit;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.SkipReason;
import io.hearth.testkit.process.JmxClient;
import io.hearth.testkit.process.ProcessCluster;
import io.hearth.testkit.process.layout.Daemon;
import java.util.Optional;

/** What Hearth's healer and balancer say of themselves, from the page of whichever HMaster is active. */
public final class HearthMetricsReader {

    private static final String HEALER = "Hadoop:service=HBase,name=Master,sub=HearthHealing";
    private static final String BALANCER = "Hadoop:service=HBase,name=Master,sub=HearthBalancerView";

    private final ProcessCluster cluster;
    private final JmxClient jmx = new JmxClient();

    public HearthMetricsReader(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    /** Moves that are planned or under way; absent if nobody says. */
    Optional<Long> movesAhead() {
        return bean(HEALER)
                .map(bean -> gauge(bean, HealingGauge.BLOCKS_WAITING) + gauge(bean, HealingGauge.BLOCKS_IN_FLIGHT));
    }

    /**
     * What waits to be moved.
     *
     * @param blocks planned moves that are not started
     * @param limit what keeps the next one from starting
     */
    public record WaitingBlocks(int blocks, HealLimit limit) {}

    /** What waits just now; absent if nobody says. */
    public Optional<WaitingBlocks> waiting() {
        return bean(HEALER)
                .map(bean -> new WaitingBlocks(
                        (int) gauge(bean, HealingGauge.BLOCKS_WAITING),
                        HealLimit.values()[(int) gauge(bean, HealingGauge.LIMITED_BY)]));
    }

    /** Moves that are under way, and so the slots that are taken; absent if nobody says. */
    Optional<Long> movesInFlight() {
        return bean(HEALER).map(bean -> gauge(bean, HealingGauge.BLOCKS_IN_FLIGHT));
    }

    /** Whether healing has stopped because too many moves were reverted; absent if nobody says. */
    Optional<Boolean> isAlarmed() {
        return bean(HEALER).map(bean -> gauge(bean, HealingGauge.ALARMED) > 0);
    }

    /** Bytes that were moved and that the NameNode has confirmed, since that HMaster started; absent if nobody says. */
    public Optional<Long> bytesVerified() {
        return bean(HEALER).map(bean -> counter(bean, HealingCounter.BYTES_VERIFIED.metric()));
    }

    /** Blocks that stayed because their target had no room for them, since that HMaster started; absent if nobody says. */
    Optional<Long> refusedForRoom() {
        return bean(HEALER).map(bean -> counter(bean, HealingMetricRegistry.metric(SkipReason.TARGET_FULL)));
    }

    /** One that is not there has counted nothing. */
    private static long counter(JsonObject bean, String metric) {
        String key = key(metric);
        return bean.has(key) ? bean.get(key).getAsLong() : 0;
    }

    /** All that the healer measures, as JSON; absent if nobody says. */
    Optional<String> healing() {
        return bean(HEALER).map(JsonObject::toString);
    }

    /** {@code act}, or {@code advise} and why; absent if nobody says. */
    Optional<String> balancerMode() {
        return bean(BALANCER).map(bean -> bean.get("Mode").getAsString());
    }

    private Optional<JsonObject> bean(String name) {
        try {
            Optional<Daemon> master = cluster.activeMaster();
            return master.isEmpty()
                    ? Optional.empty()
                    : jmx.bean(
                            master.get().host().address(), master.get().role().watchedPort(), name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static long gauge(JsonObject bean, HealingGauge gauge) {
        return bean.get(key(gauge.metric())).getAsLong();
    }

    /** The page writes the names of HBase's own metrics with a capital letter. */
    private static String key(String metric) {
        return Character.toUpperCase(metric.charAt(0)) + metric.substring(1);
    }
}
