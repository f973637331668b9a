// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.objective;

import io.hearth.slo.objective.BurnAlert.Urgency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How an objective stands: its error budget over its days, and its alerts. All of it by counts of due and good probes; minutes without a
 * probe count neither as good nor as bad. Immutable.
 *
 * @param window the counts of its days
 * @param alerts every kind of alert
 */
public record ObjectiveStatus(Objective objective, WindowCounts window, Map<BurnAlert, Alert> alerts) {

    /** Copies the map. */
    public ObjectiveStatus {
        alerts = Map.copyOf(alerts);
    }

    /** Whether an alert is on. */
    public enum State {
        /** Both burn rates are above the factor. */
        FIRING,
        /** At least one of them is not. */
        QUIET,
        /** Too few minutes are known to tell. */
        UNKNOWN
    }

    /**
     * An alert with what it goes by.
     *
     * @param longBurnRate over its long window; empty if no probe was due
     * @param shortBurnRate over its short window; empty if no probe was due
     */
    public record Alert(State state, OptionalDouble longBurnRate, OptionalDouble shortBurnRate) {

        static Alert of(BurnAlert alert, Objective objective, WindowCounts longCounts, WindowCounts shortCounts) {
            OptionalDouble longRate = longCounts.burnRate(objective);
            OptionalDouble shortRate = shortCounts.burnRate(objective);
            if (longRate.isEmpty()
                    || shortRate.isEmpty()
                    || longCounts.minutes() < alert.shortWindow().toMinutes()) {
                return new Alert(State.UNKNOWN, longRate, shortRate);
            }
            double factor = alert.factor().doubleValue();
            boolean isFiring = longRate.getAsDouble() > factor && shortRate.getAsDouble() > factor;
            return new Alert(isFiring ? State.FIRING : State.QUIET, longRate, shortRate);
        }
    }

    /** The alert of this kind. */
    public Alert alert(BurnAlert kind) {
        return alerts.getOrDefault(kind, new Alert(State.UNKNOWN, OptionalDouble.empty(), OptionalDouble.empty()));
    }

    /** The alerts of this urgency that are on, the fastest first. */
    public List<BurnAlert> firing(Urgency urgency) {
        return Stream.of(BurnAlert.values())
                .filter(kind -> kind.urgency() == urgency && alert(kind).state() == State.FIRING)
                .toList();
    }

    /** The error budget of the window, in probes: so many of those that were due may be bad. */
    public double budget() {
        return window.due() * objective.badShare().doubleValue();
    }

    /** What is left of the budget, in probes; negative where more was spent. */
    public double budgetLeft() {
        return budget() - window.bad();
    }

    /** What is left of the budget as a share of it, at most 1, negative where more was spent; empty where no probe was due. */
    public OptionalDouble budgetLeftShare() {
        return window.due() == 0 ? OptionalDouble.empty() : OptionalDouble.of(budgetLeft() / budget());
    }

    /**
     * A budget for a person: {@code 43 %}, or {@code spent 31 times} where more was spent than there is.
     *
     * @param leftShare what is left as a share of it, at most 1
     */
    public static String budgetText(double leftShare) {
        if (leftShare >= 0) {
            return String.format(Locale.ROOT, "%.0f %%", Math.floor(100 * leftShare + 1e-9));
        }
        double times = 1 - leftShare;
        return String.format(Locale.ROOT, times < 10 ? "spent %.2f times" : "spent %.0f times", times);
    }

    /**
     * What is left of the budget as minutes in which every request fails, at the rate of probes of the minutes that are known; empty where
     * no probe was due.
     */
    public OptionalDouble budgetLeftMinutes() {
        return window.due() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(budgetLeft() / ((double) window.due() / window.minutes()));
    }
}
