package io.hearth.balancer.cost;

import java.util.Locale;
import java.util.Optional;

/**
 * How many moves for the sake of heat a table allows in any hour. Immutable.
 *
 * @param most at least 0; {@link Integer#MAX_VALUE} where there is no limit
 */
public record MovesPerHour(int most) {

    /** No limit. */
    public static final MovesPerHour UNLIMITED = new MovesPerHour(Integer.MAX_VALUE);

    static final int MOST = 1_000_000;

    /** Reads a whole number, or {@code unlimited}, so that a table can lift what the site says. */
    static Optional<MovesPerHour> parse(String text) {
        if (text.toLowerCase(Locale.ROOT).equals(UNLIMITED.toString())) {
            return Optional.of(UNLIMITED);
        }
        return text.matches("[0-9]{1,7}")
                ? Optional.of(new MovesPerHour(Integer.parseInt(text))).filter(moves -> moves.most <= MOST)
                : Optional.empty();
    }

    /** Whether there is a limit at all. */
    public boolean isLimited() {
        return most != Integer.MAX_VALUE;
    }

    /** In the form that {@link #parse} reads. */
    @Override
    public String toString() {
        return isLimited() ? Integer.toString(most) : "unlimited";
    }
}
