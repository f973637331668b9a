package io.hearth.balancer.config;

import java.util.Locale;

/** Whether Hearth's plans are carried out. */
public enum BalancerMode {
    /** They are. */
    ACT,
    /** Shadow mode: everything is computed and published, and nothing moves, not by the stock balancer either. */
    ADVISE;

    /** The word that operators write. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
