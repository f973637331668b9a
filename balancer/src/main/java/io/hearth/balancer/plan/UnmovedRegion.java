// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Locale;

/**
 * A region that a plan leaves where it is, and why. Immutable.
 *
 * @param because the dimension in which its server is above its target, or the one in which it is nearest to it
 * @param share the region's own load in multiples of its server's fair share
 */
public record UnmovedRegion(
        EncodedRegionName region,
        TableId table,
        ServerId server,
        LoadDimension because,
        double share,
        UnmovedReason reason) {

    /** One sentence without its full stop: which region stays where, and why. */
    public String text() {
        String server = server().toString();
        if (reason == UnmovedReason.NOTHING_ABOVE_TRIGGER || reason == UnmovedReason.SERVER_NOT_ABOVE_TARGET) {
            return String.format(Locale.ROOT, "%s of %s stays on %s: %s", region, table, server, reason.text());
        }
        return String.format(
                Locale.ROOT,
                "%s of %s %s %s, which is above its share of %s (the region has %.2f of a fair share): %s",
                region,
                table,
                reason.isOfMovedRegion() ? "goes to" : "stays on",
                server,
                because.label(),
                share,
                reason.text());
    }
}
