package io.hearth.healing.hbase;

import io.hearth.balancer.load.RegionId;
import io.hearth.healing.config.HealingConfig;
import io.hearth.healing.history.HealOutcome;
import io.hearth.healing.loop.HealSwitch;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.healing.model.ServedRegion;
import io.hearth.healing.trigger.HintKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** What an operator can see of one master's healer and ask of it. Thread-safe; every method answers at once. */
public final class HealingDesk {

    private final HealingEngine engine;

    HealingDesk(HealingEngine engine) {
        this.engine = engine;
    }

    /** That of the master with this configuration object; empty where it has no healer. */
    public static Optional<HealingDesk> of(Configuration masterConfiguration) {
        return Healers.known(masterConfiguration).map(Healer::desk);
    }

    /** The configuration that holds now. */
    public HealingConfig config() {
        return engine.config();
    }

    public long count(HealingCounter counter) {
        return engine.metrics().count(counter);
    }

    public long measure(HealingGauge gauge) {
        return engine.metrics().measure(gauge);
    }

    /** What came of the last heals, newest first. */
    public List<HealOutcome> lastHeals() {
        return engine.memory().history().newestFirst();
    }

    /** At most so many of the regions that are local by the NameNode's word and whose servers report less. */
    public List<ServedRegion> localNotReported(int most) {
        return engine.memory().unreported().first(most);
    }

    /** By which healing is paused and resumed. */
    public HealSwitch brake() {
        return engine.memory().brake();
    }

    /** Has these regions looked at now, before others; those of tables that are not to be healed are left alone. */
    public void healNow(Collection<RegionId> regions) {
        engine.memory().wishes().wish(regions);
        engine.hints().leave(HintKind.REGION_ASSIGNED);
    }
}
