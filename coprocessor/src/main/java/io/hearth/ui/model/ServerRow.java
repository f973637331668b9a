// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;
import io.hearth.common.model.ServerId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * One server on the page. Immutable.
 *
 * @param load what its regions have, as it is, not weighed by tables
 * @param shareByDimension its load as plans count it, in multiples of its fair share: 1 is fair
 * @param recentRequestsPerSecond reads and writes over the short horizon
 * @param localBytes bytes of its regions' blocks that are local
 * @param blockBytes bytes of all of them
 * @param unknownHeat how many of its regions' heat is not known
 * @param isDraining whether it is decommissioned or on the draining list: it has no fair share
 */
public record ServerRow(
        ServerId server,
        String rack,
        double capacity,
        int regions,
        LoadVector load,
        Map<LoadDimension, Double> shareByDimension,
        double recentRequestsPerSecond,
        long localBytes,
        long blockBytes,
        int unknownHeat,
        boolean isDraining) {

    public ServerRow {
        Map<LoadDimension, Double> copy = new EnumMap<>(LoadDimension.class);
        copy.putAll(shareByDimension);
        shareByDimension = Collections.unmodifiableMap(copy);
    }

    /** Its load in multiples of its fair share. */
    public double share(LoadDimension dimension) {
        return shareByDimension.getOrDefault(dimension, 0.0);
    }
}
