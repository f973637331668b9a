// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat;

import io.hearth.common.model.ServerId;
import java.util.Locale;
import java.util.Optional;

/**
 * A server that serves much less than was asked of it, so that its rates say nothing of demand. Immutable.
 *
 * @param sinceMs since when, in milliseconds since 1970 by the master's clock
 * @param servedShare what its regions served at the last look, as a share of what was expected of them
 * @param evidence what tells
 * @param rpcStats what it says of itself; empty where nobody has asked, or it does not answer
 */
public record SuspectServer(
        ServerId server, long sinceMs, double servedShare, Evidence evidence, Optional<ServerRpcStats> rpcStats) {

    /** What makes a server suspect. */
    public enum Evidence {
        /** Its regions all fell together, while the same tables went on elsewhere. */
        ALL_REGIONS_DROPPED("its regions all fell together, and the same tables did not elsewhere"),
        /** The same over an hour or more, and calls wait there. */
        ALL_REGIONS_DECLINED("its regions all fell together over hours, and the same tables did not elsewhere"),
        /** Regions that have just landed there lost their heat. */
        ARRIVED_REGIONS_DROPPED("regions that were moved there lost their heat");

        private final String text;

        Evidence(String text) {
            this.text = text;
        }
    }

    /** Why it is suspect, as the end of a sentence: {@code it serves 10 % of what its regions were asked for before: ...}. */
    public String why() {
        return String.format(
                        Locale.ROOT,
                        "it serves %.0f %% of what its regions served before: %s",
                        100 * servedShare,
                        evidence.text)
                + rpcStats.map(rpcStatsReceived -> "; " + rpcStatsReceived.text())
                        .orElse("");
    }
}
