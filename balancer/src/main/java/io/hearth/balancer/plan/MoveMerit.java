package io.hearth.balancer.plan;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a move gains and costs, concern by concern, on the cluster as it was when the move was chosen. Immutable.
 *
 * @param gainByConcern the gain in each concern in the unit of {@link MoveCosts}; below 0 it is a cost; what is missing is 0
 * @param bytesToHeal the bytes that will have to be brought to the target less those that have to be brought home where the
 *     region is now; below 0 where more of it is local at the target; empty where nobody knows
 */
public record MoveMerit(Map<Concern, Double> gainByConcern, OptionalLong bytesToHeal) {

    public MoveMerit {
        gainByConcern = Collections.unmodifiableMap(copyOf(gainByConcern));
    }

    private static Map<Concern, Double> copyOf(Map<Concern, Double> gains) {
        Map<Concern, Double> copy = new EnumMap<>(Concern.class);
        copy.putAll(gains);
        return copy;
    }

    /** The gain in this concern; below 0 it is a cost. */
    public double gain(Concern concern) {
        return gainByConcern.getOrDefault(concern, 0.0);
    }

    /** What it costs: bytes to heal, a cold cache, unavailability. Below 0 where bytes become local and nothing else counts. */
    public double cost() {
        return -(gain(Concern.BYTES_TO_HEAL) + gain(Concern.COLD_CACHE) + gain(Concern.UNAVAILABILITY));
    }

    /** What is left of the gain when every cost is paid. */
    public double net() {
        double net = 0;
        for (double gain : gainByConcern.values()) {
            net += gain;
        }
        return net;
    }

    /** The concern in which this move is most ahead of the other. */
    public Concern mostAheadOf(MoveMerit other) {
        Concern most = Concern.READS;
        for (Concern concern : Concern.values()) {
            if (gain(concern) - other.gain(concern) > gain(most) - other.gain(most)) {
                most = concern;
            }
        }
        return most;
    }
}
