package io.hearth.healing.hbase;

import io.hearth.balancer.hbase.MasterLinks;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.locality.HealForecast;
import io.hearth.healing.config.HealAction;
import io.hearth.healing.loop.HealListener;
import io.hearth.healing.model.HealMode;
import io.hearth.healing.trigger.HintKind;
import java.util.function.UnaryOperator;
import javax.management.JMException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.MasterServices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Healing in one HMaster: the engine, and what ties it to the master. Started and stopped once. Thread-safe; nothing here
 * blocks.
 */
final class Healer {

    private static final Logger LOG = LoggerFactory.getLogger(Healer.class);

    private final MasterServices services;
    private final HealingEngine engine;
    private final ServerHints serverHints;
    private final HealingView view;
    // Held here: the balancer's link to it is weak.
    private final HealForecast forecast = this::isHealed;

    Healer(MasterServices services) {
        this.services = services;
        this.engine =
                new HealingEngine(new MasterHost(services), UnaryOperator.identity(), HealListener.NONE, this::ended);
        this.serverHints = new ServerHints(engine.hints()::leave);
        this.view = new HealingView(engine.memory());
    }

    HealingMetricRegistry metrics() {
        return engine.metrics();
    }

    /** Begins to heal; the second time it does nothing. The master must be active and initialised. */
    synchronized void start() {
        if (engine.isStarted() || engine.isStopped()) {
            return;
        }
        ReaderSettings.advice(services.getConfiguration()).ifPresent(LOG::warn);
        services.getServerManager().registerListener(serverHints);
        show();
        if (engine.start()) {
            MasterLinks.offerHealForecast(services.getConfiguration(), forecast);
            MasterLinks.offerHomeDoubt(
                    services.getConfiguration(), engine.memory().doubts());
        }
    }

    /** What an operator can see of this healer and ask of it. */
    HealingDesk desk() {
        return new HealingDesk(engine);
    }

    /** Without JMX healing does its work all the same. */
    private void show() {
        try {
            view.register();
        } catch (JMException | RuntimeException failure) {
            LOG.warn("Healing can't be seen in JMX: {}", failure.toString());
        }
    }

    /** Whether a region of this table is brought home after a move, as things are now. */
    private boolean isHealed(TableId table) {
        return engine.isStarted()
                && !engine.isStopped()
                && engine.config().enabled()
                && engine.config().conduct().mode() == HealAction.ACT
                && engine.tableModes().of(TableName.valueOf(table.name())) != HealMode.OFF;
    }

    /** Ends healing soon; returns at once, whatever HDFS is doing. */
    void stop() {
        engine.stop();
    }

    boolean isStopped() {
        return engine.isStopped();
    }

    void hint(HintKind kind) {
        engine.hints().leave(kind);
    }

    MasterServices services() {
        return services;
    }

    void reloadConfiguration() {
        engine.reloadConfiguration();
    }

    private void ended() {
        services.getServerManager().unregisterListener(serverHints);
        try {
            view.unregister();
        } catch (JMException | RuntimeException failure) {
            LOG.info("Healing's bean could not be taken away: {}", failure.toString());
        }
    }
}
