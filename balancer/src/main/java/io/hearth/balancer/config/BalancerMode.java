// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import java.util.Locale;

/** What Hearth's plans are for. */
public enum BalancerMode {
    /** They are. */
    ACT,
    /** They are made and shown beside the stock balancer's, and the stock balancer's are carried out, as without Hearth. */
    ADVISE,
    /** There are none: the stock balancer plans, and nothing is recorded. */
    OFF;

    /** The word that operators write. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
