// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.balancer.config.BalancerSettings;
import io.hearth.balancer.hbase.BalancerMetrics;
import io.hearth.common.config.Setting;
import io.hearth.healer.config.HealingSettings;
import io.hearth.healer.hbase.HealingMetricRegistry;
import io.hearth.testkit.embedded.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The master lives, and says what is wrong, whatever is written into Hearth's keys. */
@Tag("shared")
class InvalidConfigurationIT {

    /** Where one of these can't be read the stock balancer acts alone, and dies of what it can't read of its own keys. */
    private static final Set<String> SWITCHES = Set.of("hearth.balancer.enabled", "hearth.balancer.mode");

    private static List<Setting<?>> allSettings() {
        List<Setting<?>> all = new ArrayList<>(balancerSettings());
        all.addAll(HealingSettings.ALL);
        return all;
    }

    private static List<Setting<?>> balancerSettings() {
        return BalancerSettings.all().stream()
                .filter(setting -> !SWITCHES.contains(setting.key()))
                .toList();
    }

    @Test
    void aMalformedValueForEveryKeyIsALogLineEachAndAMetric() throws Exception {
        long balancerProblems = problems(BalancerMetrics.INFO);
        long healerProblems = problems(HealingMetricRegistry.INFO);
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder().withHearth();
        allSettings().forEach(setting -> builder.property(setting.key(), "!"));
        builder.property("hearth.heal.treshold", "1").property("hearth.heel.enabled", "true");
        try (EmbeddedCluster cluster = builder.shared()) {
            assertMasterWorks(cluster);
            String log = cluster.log();
            for (Setting<?> setting : allSettings()) {
                assertThat(log)
                        .containsOnlyOnce(setting.key() + " = '!' in hbase-site.xml can't be used: it must be "
                                + setting.allowed() + ". ");
            }
            assertThat(log)
                    .containsOnlyOnce("hearth.heal.treshold in hbase-site.xml is not a key of Hearth and has no effect."
                            + " The nearest known key is hearth.heal.threshold.")
                    .containsOnlyOnce("hearth.heel.enabled in hbase-site.xml is not a key of Hearth and has no effect."
                            + " The nearest known key is hearth.heal.enabled.");
            assertThat(problems(BalancerMetrics.INFO) - balancerProblems)
                    .isEqualTo(balancerSettings().size() + 1);
            assertThat(problems(HealingMetricRegistry.INFO) - healerProblems).isEqualTo(HealingSettings.ALL.size() + 1);
        }
    }

    @Test
    void aValueThatIsBrokenAndMendedLiveIsReportedWhenItBreaks() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().withHearth().shared()) {
            setLive(cluster, "hearth.heal.poll.ms", "soon");
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(cluster.log())
                    .containsOnlyOnce("hearth.heal.poll.ms = 'soon' in hbase-site.xml can't be used"));
            setLive(cluster, "hearth.heal.poll.ms", "2000");
            setLive(cluster, "hearth.balancer.mode", "advice");
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(cluster.log())
                    .containsOnlyOnce("hearth.balancer.mode = 'advice' in hbase-site.xml can't be used: it must be act,"
                            + " advise or off. advise is used instead."));
            setLive(cluster, "hearth.balancer.mode", "act");
            setLive(cluster, "hearth.balancer.skew.trigger", "0");
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(cluster.log())
                    .containsOnlyOnce("hearth.balancer.skew.trigger = '0' in hbase-site.xml can't be used"));
            assertMasterWorks(cluster);
        }
    }

    private static void setLive(EmbeddedCluster cluster, String key, String value) throws IOException {
        cluster.master().getConfiguration().set(key, value);
        cluster.admin().updateConfiguration(cluster.master().getServerName());
    }

    private static long problems(MetricRegistryInfo registry) {
        return RegisteredMetrics.counterOrZero(registry, "configProblems");
    }

    private static void assertMasterWorks(EmbeddedCluster cluster) throws Exception {
        cluster.admin().balancerSwitch(true, true);
        assertThat(cluster.admin().balance(BalanceRequest.defaultInstance()).isBalancerRan())
                .isTrue();
        try (HotServerLoad hot = HotServerLoad.start(cluster, 6)) {
            assertThat(hot.hotRegionsByServer()).isNotEmpty();
        }
        assertThat(cluster.master().isInitialized()).isTrue();
        assertThat(cluster.master().isAborted()).isFalse();
    }
}
