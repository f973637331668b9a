package io.hearth.balancer.config;

/**
 * Which regions are worth a move at all: those with more than so many requests in the last so many minutes. Immutable.
 *
 * @param requests reads and writes that a region must have more of; 0 where every region is worth a move
 * @param minutes the last minutes that count
 * @param isWindow whether requests are counted by the minute; otherwise the decayed rates say how many there were
 */
public record HotConfig(long requests, int minutes, boolean isWindow) {

    /** Every region is worth a move. */
    public static final HotConfig OFF = new HotConfig(0, HeatSettings.HOT_MINUTES.defaultValue(), false);

    /** Whether there is anything to measure. */
    public boolean isOn() {
        return requests > 0;
    }

    static HotConfig read(SettingsReader reader) {
        return new HotConfig(
                reader.read(HeatSettings.HOT_REQUESTS),
                reader.read(HeatSettings.HOT_MINUTES),
                reader.read(HeatSettings.HOT_WINDOW));
    }
}
