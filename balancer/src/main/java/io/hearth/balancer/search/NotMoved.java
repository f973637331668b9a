package io.hearth.balancer.search;

import io.hearth.balancer.load.LoadDimension;
import io.hearth.balancer.load.RegionId;
import io.hearth.balancer.load.ServerId;
import io.hearth.balancer.load.TableId;
import io.hearth.balancer.snapshot.Pin;

/**
 * The hottest region of a server that stays above its share, and why it was not moved. Immutable.
 *
 * @param because the dimension in which the server is above its share
 * @param share the region's own load in multiples of the servers' mean
 * @param pin whether the region may be moved at all
 */
public record NotMoved(
        RegionId region, TableId table, ServerId server, LoadDimension because, double share, Reason reason, Pin pin) {

    /** Why it was not moved, as the end of a sentence; of a pinned region, why it is pinned. */
    public String why() {
        return reason == Reason.PINNED ? pin.reason() : reason.text();
    }

    /** Why a hot region was not moved. */
    public enum Reason {
        /** It is pinned; its {@link Pin} says why. */
        PINNED("it is pinned"),
        /** It alone is above a server's fair share: moving it moves the hot spot. Splitting it would help. */
        ABOVE_FAIR_SHARE("it alone is above a server's fair share; split it"),
        /** Wherever it went, another dimension would lose more than this one gains. */
        NO_GAIN("no other server could take it with a gain"),
        /** The plan is full. */
        MOVE_LIMIT("the plan has as many moves as it may have");

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
