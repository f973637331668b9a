// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.config.BalancerConfig;
import io.hearth.balancer.config.TableWeights;
import io.hearth.balancer.engine.Advice;
import io.hearth.balancer.engine.Advice.DailyAdvice;
import io.hearth.balancer.engine.BalanceEngine.CanaryStatus;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.engine.ExcludedServers;
import io.hearth.balancer.plan.RejectedStockMove;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.tracking.PinnedRegion;
import io.hearth.balancer.tracking.Prediction;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.ProbedCluster.NodeReadCache;
import io.hearth.healer.history.HealHistory.HealRecord;
import io.hearth.healer.metrics.HealingMetrics.HealingCounter;
import io.hearth.healer.metrics.HealingMetrics.HealingGauge;
import io.hearth.healer.model.ServedRegion;
import io.hearth.healer.verify.DataNodeStates.UnhealthyHost;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Everything that a page is made from: the cluster, the balancer and the healer at one time, and what the doctor found last. Immutable.
 *
 * @param cluster what its servers reported and the balancer knows of their regions, with the time
 * @param master the master that saw it
 * @param weights how much each table counts in plans
 */
public record PageInput(
        ClusterState cluster,
        String master,
        TableWeights weights,
        BalancerStatus balancer,
        HealerStatus healing,
        DoctorReport doctor) {

    /** The same of these servers. */
    PageInput withServers(List<ServerState> servers) {
        ClusterState same = new ClusterState(cluster.atMs(), cluster.source(), cluster.hbaseVersion(), servers);
        return new PageInput(same, master, weights, balancer, healing, doctor);
    }

    /** When it was observed, in milliseconds since 1970. */
    public long atMs() {
        return cluster.atMs();
    }

    /**
     * What the balancer says of itself. Immutable.
     *
     * @param installed whether this master's balancer is Hearth's; where it is not, the lists are empty
     * @param switchedOn whether HBase runs its balancer at all ({@code balance_switch})
     * @param adviseOnly why plans are only advice, as the end of a sentence; empty where they are carried out
     * @param braked which SLO watches have plans rest and why, as the end of a sentence; empty where none does
     * @param canaries how the last run left the regions of the canary table; empty where there is none, or no run yet
     * @param excluded the servers that are given no regions now
     * @param decisions the last plans that said something, newest first
     * @param rejectedStockMoves the moves of the stock balancer's last plans that were not made, newest first
     * @param predictionLog what runs predicted and what was observed, oldest first
     * @param advice Hearth's plan and the stock balancer's of each run in which Hearth only advised, newest first
     * @param dailyAdvices the same summed up by day, oldest first
     */
    public record BalancerStatus(
            boolean installed,
            boolean switchedOn,
            BalancerConfig config,
            Optional<String> adviseOnly,
            Optional<String> braked,
            Optional<CanaryStatus> canaries,
            List<ExcludedServers.ExcludedServer> excluded,
            List<Decision> decisions,
            List<RejectedStockMove> rejectedStockMoves,
            List<PinnedRegion> pins,
            List<Prediction> predictionLog,
            List<Advice> advice,
            List<DailyAdvice> dailyAdvices) {

        public BalancerStatus {
            excluded = List.copyOf(excluded);
            decisions = List.copyOf(decisions);
            rejectedStockMoves = List.copyOf(rejectedStockMoves);
            pins = List.copyOf(pins);
            predictionLog = List.copyOf(predictionLog);
            advice = List.copyOf(advice);
            dailyAdvices = List.copyOf(dailyAdvices);
        }
    }

    /**
     * What the healer says of itself. Immutable.
     *
     * @param installed whether this master has a healer; where it has none, everything else is empty
     * @param why why it rests, as a sentence; empty where it does not
     * @param limitBytesPerSecond the operator's limit of the cluster; 0 for none
     * @param dataNodeLimitBytesPerSecond the operator's limit of each DataNode; 0 for what DataNodes allow
     * @param verifiedBytesPerSecond what was verified of late; empty where nobody has watched for long enough
     * @param lastHeals what came of the last heals, newest first
     * @param localNotReported regions that the NameNode says are local and whose servers report less
     * @param unhealthyDataNodes the DataNodes that are suspect, dead or being probed, sorted by host, with their times in milliseconds
     * since     1970
     */
    public record HealerStatus(
            boolean installed,
            State state,
            Optional<String> why,
            long limitBytesPerSecond,
            long dataNodeLimitBytesPerSecond,
            OptionalDouble verifiedBytesPerSecond,
            Map<HealingCounter, Long> counts,
            Map<HealingGauge, Long> gauges,
            List<HealRecord> lastHeals,
            List<ServedRegion> localNotReported,
            List<UnhealthyHost> unhealthyDataNodes) {

        /** There is no healer in this master. */
        public static final HealerStatus NONE = new HealerStatus(
                false,
                State.NOT_INSTALLED,
                Optional.empty(),
                0,
                0,
                OptionalDouble.empty(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                List.of());

        /** What the healer does. */
        public enum State {
            NOT_INSTALLED("not installed"),
            ON("on"),
            OFF("switched off"),
            PAUSED("paused"),
            ALARMED("stopped by an alarm"),
            BRAKED("braked"),
            OUTSIDE_WINDOWS("outside its windows"),
            ADVISING("advice only"),
            WAITING("waiting for another healer to end");

            private final String text;

            State(String text) {
                this.text = text;
            }

            /** The state in words. */
            public String text() {
                return text;
            }
        }

        public HealerStatus {
            counts = Collections.unmodifiableMap(byEnum(new EnumMap<>(HealingCounter.class), counts));
            gauges = Collections.unmodifiableMap(byEnum(new EnumMap<>(HealingGauge.class), gauges));
            lastHeals = List.copyOf(lastHeals);
            localNotReported = List.copyOf(localNotReported);
            unhealthyDataNodes = List.copyOf(unhealthyDataNodes);
        }

        private static <K extends Enum<K>> Map<K, Long> byEnum(Map<K, Long> empty, Map<K, Long> values) {
            empty.putAll(values);
            return empty;
        }

        public long count(HealingCounter counter) {
            return counts.getOrDefault(counter, 0L);
        }

        public long gauge(HealingGauge gauge) {
            return gauges.getOrDefault(gauge, 0L);
        }
    }

    /**
     * What the doctor found on its last round. Immutable.
     *
     * @param startedAtMs when the round began that is being made, or else the last one; empty before the first
     * @param isRunning whether one is being made
     * @param atMs when the last round ended, in milliseconds since 1970; empty before the first has
     * @param findings the worst first
     * @param readCaches the read caches of DataNodes as they were then, sorted by host
     */
    public record DoctorReport(
            OptionalLong startedAtMs,
            boolean isRunning,
            OptionalLong atMs,
            List<Finding> findings,
            List<NodeReadCache> readCaches) {

        /** Before the first round. */
        public static final DoctorReport NOT_YET =
                new DoctorReport(OptionalLong.empty(), false, OptionalLong.empty(), List.of(), List.of());

        public DoctorReport {
            findings = List.copyOf(findings);
            readCaches = List.copyOf(readCaches);
        }
    }
}
