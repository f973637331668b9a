// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.balancer.state.ServerState;
import io.hearth.balancer.state.ServerTotals;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * One server on the page. Immutable.
 *
 * @param totals what its regions come to, added up once
 * @param shareByDimension its load as plans count it, in multiples of its fair share: 1 is fair; none where it is being emptied
 */
public record ServerRow(ServerState state, ServerTotals totals, Map<LoadDimension, Double> shareByDimension) {

    public ServerRow {
        Map<LoadDimension, Double> copy = new EnumMap<>(LoadDimension.class);
        copy.putAll(shareByDimension);
        shareByDimension = Collections.unmodifiableMap(copy);
    }

    public ServerId server() {
        return state.server();
    }

    /** What its regions have, as it is, not weighed by tables; what it stores is known from its report, whatever is known of heat. */
    double load(LoadDimension dimension) {
        return dimension == LoadDimension.STORE_SIZE
                ? (double) totals.reported().storeBytes()
                : totals.measuredLoad().get(dimension);
    }

    /** Its load in multiples of its fair share. */
    public double share(LoadDimension dimension) {
        return shareByDimension.getOrDefault(dimension, 0.0);
    }
}
