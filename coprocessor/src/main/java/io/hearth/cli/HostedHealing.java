package io.hearth.cli;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.client.ClientHost;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.hbase.HealingEngine;
import io.hearth.healing.lock.LockState;
import io.hearth.healing.lock.Tenure;
import io.hearth.healing.loop.HealListener;
import io.hearth.healing.metrics.HealingGauge;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * The engine in this process, and a clean end of it: when it is closed, and when a signal ends the process. Thread-safe.
 */
final class HostedHealing implements AutoCloseable {

    private static final long END_MS = 20_000;

    private final ClientHost host;
    private final HealingEngine engine;
    private final Consumer<String> say;
    private final SignalHook hook = new SignalHook(this::signalled);

    /** @param say takes a line for a person */
    HostedHealing(ClientHost host, UnaryOperator<HealingConfig> orders, HealListener listener, Consumer<String> say) {
        this.host = host;
        this.say = say;
        this.engine = new HealingEngine(host, orders, listener, () -> {});
    }

    void start() {
        hook.set(2 * END_MS);
        engine.start();
    }

    LockState lock() {
        return tenure().state();
    }

    /** Who has the lock, or why it is not to be had. */
    Optional<String> lockTrouble() {
        return tenure().trouble();
    }

    /** Why healing has stopped by itself; empty where it has not. */
    Optional<String> alarm() {
        return engine.memory().brake().alarm();
    }

    /** Other settings hold from now on; of those that can't be used the ones before still do. */
    void reload(Configuration site) {
        engine.reloadConfiguration(site);
    }

    /** Has these regions looked at, whatever their servers report; hosts of the servers by region. */
    void doubt(Map<RegionId, String> hostByRegion) {
        hostByRegion.forEach(engine.memory().doubts()::isAwayThoughReportedHome);
    }

    /** Moves that wait are not made any more. */
    void enough(String why) {
        engine.memory().brake().pause(why);
    }

    /** Whether a signal is ending the process, which has the last word then. */
    boolean isSignalled() {
        return hook.isSignalled();
    }

    @Override
    public void close() {
        hook.close();
        stop();
    }

    private void signalled() {
        long underWay = engine.metrics().measure(HealingGauge.BLOCKS_IN_FLIGHT);
        say.accept("Stopped: no further move starts. "
                + (underWay == 0 ? "None is under way." : underWay + " are under way, which HDFS ends by itself."));
        stop();
    }

    private void stop() {
        host.stop();
        engine.stop();
        try {
            if (!engine.awaitEnd(END_MS)) {
                say.accept("HDFS does not answer: the lock is left to expire within a minute.");
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    private Tenure tenure() {
        return engine.memory().tenure();
    }
}
