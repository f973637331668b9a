package io.hearth.chaos;

import com.google.gson.JsonObject;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.procs.Jmx;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Member;
import java.util.Optional;

/** The healer's gauges, from the page of whichever HMaster is active. */
final class HealerGauges {

    private static final String BEAN = "Hadoop:service=HBase,name=Master,sub=HearthHealing";

    private final ProcessCluster cluster;
    private final Jmx jmx = new Jmx();

    HealerGauges(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    /** Moves that are planned or under way; absent if nobody says. */
    Optional<Long> movesAhead() {
        return bean().map(
                        bean -> gauge(bean, HealingGauge.BLOCKS_WAITING) + gauge(bean, HealingGauge.BLOCKS_IN_FLIGHT));
    }

    /** Moves that are under way, and so the slots that are taken; absent if nobody says. */
    Optional<Long> movesInFlight() {
        return bean().map(bean -> gauge(bean, HealingGauge.BLOCKS_IN_FLIGHT));
    }

    private Optional<JsonObject> bean() {
        try {
            Optional<Member> master = cluster.activeMaster();
            return master.isEmpty()
                    ? Optional.empty()
                    : jmx.bean(
                            master.get().host().address(), master.get().role().watchedPort(), BEAN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The page writes the names of HBase's own metrics with a capital letter. */
    private static long gauge(JsonObject bean, HealingGauge gauge) {
        String key =
                Character.toUpperCase(gauge.metric().charAt(0)) + gauge.metric().substring(1);
        return bean.get(key).getAsLong();
    }
}
