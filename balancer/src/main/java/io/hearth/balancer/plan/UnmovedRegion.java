// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.state.Pin;
import io.hearth.common.model.EncodedRegionName;
import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.ServerId;
import io.hearth.common.model.TableId;
import java.util.Optional;

/**
 * A hot region of a server that stays above its target, and why it was not moved. Immutable.
 *
 * @param because the dimension in which the server is above its target
 * @param share the region's own load in multiples of its server's fair share
 * @param pin whether the region may be moved at all
 * @param constraint the hard rule in the way; empty for other reasons
 */
public record UnmovedRegion(
        EncodedRegionName region,
        TableId table,
        ServerId server,
        LoadDimension because,
        double share,
        Reason reason,
        Pin pin,
        Optional<MoveConstraint> constraint) {

    /** Why it was not moved, as the end of a sentence; of a pinned region, why it is pinned. */
    public String why() {
        return switch (reason) {
            case PINNED -> pin.reason();
            case CONSTRAINT -> constraint.map(MoveConstraint::text).orElse(reason.text());
            case ABOVE_FAIR_SHARE, MOVED_HERE, NO_GAIN, COSTS_MORE, GAINS_LITTLE -> reason.text();
        };
    }

    /** Why a hot region was not moved. */
    public enum Reason {
        /** It is pinned; its {@link Pin} says why. */
        PINNED("it is pinned"),
        /** It alone is above a server's fair share: moving it moves the hot spot. Heat knows no key to split it at. */
        ABOVE_FAIR_SHARE(
                "it alone has more than a server's fair share; only a split helps (rates do not tell at which key)"),
        /** This plan moves it here: elsewhere it would be worse. */
        MOVED_HERE("this plan moves it here, where it is least in the way"),
        /** A hard rule stands against every server that could take it; {@link UnmovedRegion#constraint} says which. */
        CONSTRAINT("a hard rule is in the way"),
        /** Wherever it went, as much would be lost as gained. */
        NO_GAIN("no other server could take it with a gain"),
        /** The gain is less than the bytes to heal, the cold cache and the unavailability. */
        COSTS_MORE("the move would cost more than it gains"),
        /** There is a gain, but it is not worth a move. */
        GAINS_LITTLE("the gain is too small");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The reason, as the end of a sentence. */
        public String text() {
            return text;
        }
    }
}
