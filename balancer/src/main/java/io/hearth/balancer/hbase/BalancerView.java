// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import io.hearth.balancer.state.ClusterState;
import io.hearth.balancer.state.ServerState;
import io.hearth.common.model.EncodedRegionName;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * The balancer's word in JMX. Thread-safe; nothing is computed before somebody asks. Of several masters in one JVM the last
 * one is seen.
 */
public final class BalancerView implements BalancerViewMXBean {

    /** Beside HBase's own beans of the master. */
    public static final String NAME = "Hadoop:service=HBase,name=Master,sub=HearthBalancerView";

    private static final int ADVICE_SHOWN = 10;

    private final BalanceEngine engine;
    private final LongSupplier nowMs;
    private final Supplier<Map<ServerName, ServerMetrics>> lastReports;
    private final Predicate<TableName> isCanary;
    private final Supplier<Optional<String>> whyResting;
    private boolean isRegistered;

    /**
     * @param lastReports the last report of each live server
     * @param isCanary whose regions are left out of the cluster's state
     * @param whyResting why Hearth leaves everything to the stock balancer, a sentence or more; empty where it does not
     */
    public BalancerView(
            BalanceEngine engine,
            LongSupplier nowMs,
            Supplier<Map<ServerName, ServerMetrics>> lastReports,
            Predicate<TableName> isCanary,
            Supplier<Optional<String>> whyResting) {
        this.lastReports = lastReports;
        this.isCanary = isCanary;
        this.whyResting = whyResting;
        this.engine = engine;
        this.nowMs = nowMs;
    }

    /** Shows it; a second call changes nothing. A failure is thrown: it is the caller's to count. */
    public synchronized void register() throws JMException {
        if (!isRegistered) {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName(NAME);
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
            server.registerMBean(this, name);
            isRegistered = true;
        }
    }

    @Override
    public String getMode() {
        return whyResting.get().map(why -> "resting: " + why).orElseGet(this::modeInUse);
    }

    private String modeInUse() {
        return engine.tracker().isOff()
                ? "off"
                : engine.tracker().adviseOnly().map(why -> "advise: " + why).orElseGet(this::act);
    }

    private String act() {
        StringBuilder text = new StringBuilder("act");
        engine.tracker().maxHeatMovesByGroup(nowMs.getAsLong()).forEach((group, most) -> text.append("; at most ")
                .append(most)
                .append(" moves for heat a run over the servers of ")
                .append(group)
                .append(", after one that came out otherwise than predicted"));
        return text.toString();
    }

    @Override
    public List<String> getLastPlan() {
        return engine.decisions().stream().findFirst().map(Decision::explain).orElse(List.of());
    }

    @Override
    public String getPlanSummariesJson() {
        return DecisionJson.summaries(engine.decisions()).toString();
    }

    @Override
    public String rejectedStockMovesJson() {
        return DecisionJson.rejectedStockMoves(engine.rejectedStockMoves()).toString();
    }

    @Override
    public String getAdviceJson() {
        return AdviceJson.runs(engine.advice().newestFirst().stream()
                        .limit(ADVICE_SHOWN)
                        .toList())
                .toString();
    }

    @Override
    public String adviceRunsJson() {
        return AdviceJson.runs(engine.advice().newestFirst()).toString();
    }

    @Override
    public String getAdviceDaysJson() {
        return AdviceJson.days(engine.advice().days()).toString();
    }

    @Override
    public String getPinsJson() {
        return MoveTrackerJson.pins(engine.tracker().pinned(nowMs.getAsLong())).toString();
    }

    @Override
    public String getPredictionsJson() {
        return MoveTrackerJson.predictionLog(engine.tracker().predictionLog()).toString();
    }

    @Override
    public List<String> getFlappingServers() {
        return engine.flapping().keySet().stream()
                .map(server -> server.host() + ":" + server.port())
                .toList();
    }

    @Override
    public String plansJson() {
        return DecisionJson.of(engine.decisions()).toString();
    }

    @Override
    public boolean removePin(String encodedName) {
        return engine.tracker().removePin(new EncodedRegionName(encodedName), "somebody in JMX", nowMs.getAsLong());
    }

    @Override
    public String snapshotOfLastPlan() {
        return engine.lastPlanInput().map(BalancerView::text).orElse("");
    }

    @Override
    public String clusterStateJson() {
        long atMs = nowMs.getAsLong();
        ReportedStateReader reader = new ReportedStateReader(engine.view(atMs), isCanary);
        List<ServerState> servers = new ArrayList<>();
        try {
            for (Map.Entry<ServerName, ServerMetrics> one : lastReports.get().entrySet()) {
                servers.add(reader.read(ServerState.of(HBaseNames.server(one.getKey())), one.getValue()));
            }
        } catch (IOException wrongName) {
            throw new UncheckedIOException("A server reported a region whose name is none.", wrongName);
        }
        return ClusterStateJson.text(
                new ClusterState(atMs, "the master", VersionInfo.getVersion(), servers),
                ClusterStateJson.Regions.LEFT_OUT);
    }

    private static String text(BalanceEngine.PlanInput observed) {
        StringWriter text = new StringWriter();
        try {
            new SnapshotFile(
                            observed.snapshot().foundOut(observed.atMs(), "the master", VersionInfo.getVersion()),
                            observed.goals())
                    .write(text);
        } catch (IOException cannotBe) {
            throw new UncheckedIOException("Writing into memory failed.", cannotBe);
        }
        return text.toString();
    }
}
