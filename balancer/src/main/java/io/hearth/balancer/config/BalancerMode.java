package io.hearth.balancer.config;

import java.util.Locale;

/** Whether Hearth's plans are carried out. */
public enum BalancerMode {
    /** They are. */
    ACT,
    /** Shadow mode: everything is computed and published, and nothing moves for the sake of heat. */
    ADVISE;

    /** The word that operators write. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
