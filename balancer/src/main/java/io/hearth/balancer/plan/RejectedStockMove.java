// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Locale;

/**
 * A move that the stock balancer planned (for region counts, locality or replicas) and that is not made, and why. Immutable.
 *
 * @param atMs when that plan was reviewed, in milliseconds since 1970
 * @param from the server that goes on serving the region
 * @param to the one that the stock plan names
 * @param why the reason with its figures and servers, as the end of a sentence
 */
public record RejectedStockMove(
        long atMs,
        EncodedRegionName region,
        TableId table,
        ServerId from,
        ServerId to,
        UnmovedReason reason,
        String why) {

    /** One sentence without its full stop: which region stays where, and why. */
    public String text() {
        return String.format(
                Locale.ROOT,
                "%s of %s stays on %s, the stock plan's move to %s is not made: %s",
                region,
                table,
                from,
                to,
                why);
    }
}
