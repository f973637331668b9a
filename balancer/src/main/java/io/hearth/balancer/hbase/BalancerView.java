package io.hearth.balancer.hbase;

import io.hearth.balancer.engine.BalanceEngine;
import io.hearth.balancer.engine.Decision;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.util.MBeans;

/**
 * The balancer's word in JMX. Thread-safe; nothing is computed before somebody asks. Of several masters in one JVM the first
 * one is seen.
 */
public final class BalancerView implements BalancerViewMXBean, AutoCloseable {

    private static final String SERVICE = "HBase";
    private static final String NAME = "Master,sub=HearthBalancerView";

    private final BalanceEngine engine;
    private final LongSupplier nowMs;
    private Optional<ObjectName> registered = Optional.empty();

    public BalancerView(BalanceEngine engine, LongSupplier nowMs) {
        this.engine = engine;
        this.nowMs = nowMs;
    }

    /** Shows it; a second call changes nothing. */
    public synchronized void register() {
        if (registered.isEmpty()) {
            ObjectName name = MBeans.register(SERVICE, NAME, this);
            registered = Optional.ofNullable(name);
        }
    }

    @Override
    public synchronized void close() {
        registered.ifPresent(MBeans::unregister);
        registered = Optional.empty();
    }

    @Override
    public String getMode() {
        return engine.steering().adviseOnly().map(why -> "advise: " + why).orElse("act");
    }

    @Override
    public List<String> getLastPlan() {
        return engine.decisions().stream()
                .findFirst()
                .map(Decision::plan)
                .map(plan -> plan.explain())
                .orElse(List.of());
    }

    @Override
    public String getPlansJson() {
        return DecisionJson.of(engine.decisions()).toString();
    }

    @Override
    public String getPinsJson() {
        return SteeringJson.pins(engine.steering().pinned(nowMs.getAsLong())).toString();
    }

    @Override
    public String getLedgerJson() {
        return SteeringJson.ledger(engine.steering().ledger()).toString();
    }
}
