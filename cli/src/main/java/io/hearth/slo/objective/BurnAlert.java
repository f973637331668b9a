// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/**
 * When an objective's error budget is spent so fast that somebody has to know: its burn rate is above a factor both over a long time, which
 * says that it matters, and over a short one, which says that it has not ended (The Site Reliability Workbook, chapter 5, multiwindow,
 * multi-burn-rate alerts). A burn rate of 1 spends the budget of 30 days in 30 days. Immutable.
 */
public enum BurnAlert {
    /** 2 % of a budget of 30 days within an hour. */
    FAST("14.4", Duration.ofHours(1), Duration.ofMinutes(5), Urgency.PAGE),
    /** 5 % within six hours. */
    MEDIUM("6", Duration.ofHours(6), Duration.ofMinutes(30), Urgency.PAGE),
    /** 10 % within three days. */
    SLOW("1", Duration.ofDays(3), Duration.ofHours(6), Urgency.TICKET);

    /** Whom it concerns. */
    public enum Urgency {
        /** It wakes somebody. */
        PAGE,
        /** It is looked at on a working day. */
        TICKET
    }

    private final BigDecimal factor;
    private final Duration longWindow;
    private final Duration shortWindow;
    private final Urgency urgency;

    BurnAlert(String factor, Duration longWindow, Duration shortWindow, Urgency urgency) {
        this.factor = new BigDecimal(factor);
        this.longWindow = longWindow;
        this.shortWindow = shortWindow;
        this.urgency = urgency;
    }

    /** The burn rate that has to be exceeded. */
    public BigDecimal factor() {
        return factor;
    }

    /** The time over which it matters. */
    public Duration longWindow() {
        return longWindow;
    }

    /** The time over which it is known to go on; this much of the long one has to be known too. */
    public Duration shortWindow() {
        return shortWindow;
    }

    /** Whom it concerns. */
    public Urgency urgency() {
        return urgency;
    }

    /** As it is written in reports: {@code fast}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
