// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.plan;

import io.hearth.balancer.state.Pin;

/**
 * Why a plan leaves a region where it is, in one dimension of load: it may name a region once for each dimension in which the
 * region's server stays above its target. The reason is the first of these that holds: no plan is made for it, none is needed, its
 * server is not above its target, the region is pinned, it has none of that load, this plan moves it there, it is too large, a limit of
 * moves is reached, a rule that no gain can buy forbids every server, the move gains too little. A move that the stock balancer planned
 * and that is not made has one of them too, or one of its own.
 */
public enum UnmovedReason {
    /** The master has another balancer. */
    OTHER_BALANCER("the balancer is not Hearth's: no plan is made for heat"),
    /** Hearth plans nothing. */
    BALANCER_OFF("hearth.balancer.mode is off: no plan is made for heat"),
    /** No server serves it. */
    REGION_NOT_OPEN("it is not open"),
    /** HBase takes the servers that are drained out of what it balances. */
    SERVER_DRAINING("its server is draining or decommissioned, and HBase balances without it"),
    /** A run made no plan for its server, or for its table there. */
    NO_PLAN("no plan is made for it"),
    /**
     * Its server is above its target, and no plan of late has named it, or for a reason that is there no more: the next run will, or names
     * hotter ones of its server.
     */
    NOT_NAMED("its server is above its target, and no plan has named it as it is now"),

    /** No server is above its trigger. */
    NOTHING_ABOVE_TRIGGER("no server is above its trigger: nothing has to be moved for load"),
    /** Other servers are above their targets, this region's is not. */
    SERVER_NOT_ABOVE_TARGET("its server is not above its target"),

    /** As the {@link Pin} of the same name, and so are the next eight. */
    HEAT_UNKNOWN(Pin.HEAT_UNKNOWN),
    SYSTEM_TABLE(Pin.SYSTEM_TABLE),
    IN_FLIGHT(Pin.IN_FLIGHT),
    COOL_DOWN(Pin.COOL_DOWN),
    RESTING(Pin.RESTING),
    MOVED_MANUALLY(Pin.MOVED_MANUALLY),
    OSCILLATING(Pin.OSCILLATING),
    INACTIVE(Pin.INACTIVE),
    OTHER_TABLE(Pin.OTHER_TABLE),

    /** Its server has too much of a load of which the region has none. */
    NO_LOAD("it has none of the load of which its server has too much"),

    /** It alone is above a server's fair share: moving it moves the hot spot. Heat knows no key to split it at. */
    ABOVE_FAIR_SHARE(
            "it alone has more than a server's fair share; only a split helps (rates do not tell at which key)"),
    /** This plan moves it here, and it alone is above a server's fair share here too. */
    MOVED_ABOVE_FAIR_SHARE(
            "it alone has more than a fair share there too; only a split helps (rates do not tell at which key)"),
    /** This plan moves it here: elsewhere it would be worse. */
    MOVED_HERE("this plan moves it here, and every other server would be less even with it"),

    /** The table has had all its moves for heat, before this plan or by it. */
    TABLE_BUDGET("its table has had all its moves of this hour (HEARTH_MAX_MOVES_PER_HOUR)"),
    /** The plan is full. */
    MOVE_LIMIT("the plan has as many moves as it may have (hbase.master.balancer.stochastic.maxMovePercent, and what"
            + " hearth.balancer.max.moves.per.second allows within hbase.balancer.max.balancing)"),
    /** The plan has as many moves for heat as it may have. */
    HEAT_MOVE_LIMIT(
            "the plan has as many moves for heat as it may have after a run that came out otherwise than predicted"),
    /** No other server may be given regions; or the target of a stock move may not. */
    NOT_A_TARGET("no other server may be given regions"),
    /** Another replica of the same region is on that host. */
    REPLICA_ON_HOST("a replica of the same region is on the host"),
    /** Another replica of the same region is on that rack, and there are racks enough. */
    REPLICA_ON_RACK("a replica of the same region is on the rack"),
    /** A server would leave the slop around the mean number of regions. */
    COUNT_SLOP("a server's number of regions would leave the slop (hbase.regions.slop)"),

    /** The stock balancer plans to move it, and the target would be above its trigger, hotter than it is. */
    STOCK_MOVE_HEATS("the stock balancer's target would be made too hot"),
    /** The stock balancer plans to move it to a server that heat leaves with few regions. */
    STOCK_MOVE_FILLS("the stock balancer's target has few regions beside one that is most of its fair share"),

    /** Wherever it went, as much would be lost as gained. */
    NO_GAIN("no other server could take it with a gain"),
    /** The gain is less than the bytes to heal, the cold cache and the unavailability. */
    COSTS_MORE("the move would cost more than it gains"),
    /** There is a gain, but it is not worth a move. */
    GAINS_LITTLE("the gain is too small");

    private final String text;

    UnmovedReason(String text) {
        this.text = text;
    }

    UnmovedReason(Pin pin) {
        this(pin.reason());
    }

    /** The reason, as the end of a sentence. */
    public String text() {
        return text;
    }

    /** Whether the region is on its server only after the plan, which moves it there. */
    public boolean isOfMovedRegion() {
        return this == MOVED_HERE || this == MOVED_ABOVE_FAIR_SHARE;
    }

    /**
     * Why a pinned region stays.
     *
     * @throws IllegalArgumentException for {@link Pin#FREE}
     */
    public static UnmovedReason of(Pin pin) {
        return switch (pin) {
            case FREE -> throw new IllegalArgumentException("A region that may be moved stays for another reason.");
            case HEAT_UNKNOWN -> HEAT_UNKNOWN;
            case SYSTEM_TABLE -> SYSTEM_TABLE;
            case IN_FLIGHT -> IN_FLIGHT;
            case COOL_DOWN -> COOL_DOWN;
            case RESTING -> RESTING;
            case MOVED_MANUALLY -> MOVED_MANUALLY;
            case OSCILLATING -> OSCILLATING;
            case INACTIVE -> INACTIVE;
            case OTHER_TABLE -> OTHER_TABLE;
        };
    }
}
