package io.hearth.chaos;

import com.google.gson.JsonObject;
import io.hearth.healing.metrics.HealingCounter;
import io.hearth.healing.metrics.HealingGauge;
import io.hearth.procs.Jmx;
import io.hearth.procs.ProcessCluster;
import io.hearth.procs.layout.Member;
import java.util.Optional;

/** What Hearth's healer and balancer say of themselves, from the page of whichever HMaster is active. */
public final class HearthGauges {

    private static final String HEALER = "Hadoop:service=HBase,name=Master,sub=HearthHealing";
    private static final String BALANCER = "Hadoop:service=HBase,name=Master,sub=HearthBalancerView";

    private final ProcessCluster cluster;
    private final Jmx jmx = new Jmx();

    public HearthGauges(ProcessCluster cluster) {
        this.cluster = cluster;
    }

    /** Moves that are planned or under way; absent if nobody says. */
    Optional<Long> movesAhead() {
        return bean(HEALER)
                .map(bean -> gauge(bean, HealingGauge.BLOCKS_WAITING) + gauge(bean, HealingGauge.BLOCKS_IN_FLIGHT));
    }

    /** Moves that are under way, and so the slots that are taken; absent if nobody says. */
    Optional<Long> movesInFlight() {
        return bean(HEALER).map(bean -> gauge(bean, HealingGauge.BLOCKS_IN_FLIGHT));
    }

    /** Bytes that were moved and that the NameNode has confirmed, since that HMaster started; absent if nobody says. */
    public Optional<Long> bytesVerified() {
        // A counter that is not there has counted nothing.
        return bean(HEALER)
                .map(bean -> bean.has(HealingCounter.BYTES_VERIFIED.metric())
                        ? bean.get(HealingCounter.BYTES_VERIFIED.metric()).getAsLong()
                        : 0L);
    }

    /** {@code act}, or {@code advise} and why; absent if nobody says. */
    Optional<String> balancerMode() {
        return bean(BALANCER).map(bean -> bean.get("Mode").getAsString());
    }

    private Optional<JsonObject> bean(String name) {
        try {
            Optional<Member> master = cluster.activeMaster();
            return master.isEmpty()
                    ? Optional.empty()
                    : jmx.bean(
                            master.get().host().address(), master.get().role().watchedPort(), name);
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
