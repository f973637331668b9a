package io.hearth.web.config;

import io.hearth.balancer.config.ConfigProblem;
import io.hearth.balancer.config.RawSettings;
import io.hearth.balancer.config.Setting;
import io.hearth.balancer.config.SettingsReader;
import io.hearth.balancer.config.UnknownKeys;
import java.util.ArrayList;
import java.util.List;

/** Every {@code hearth.page.} key, and their reading. All of them are live: {@code update_config} reads them again. */
public final class PageSettings {

    private static final String PREFIX = "hearth.page.";

    public static final Setting<Boolean> ENABLED = Setting.bool(
            PREFIX + "enabled",
            true,
            "Whether the master's web UI answers under /hearth, where the page's filter is installed. A value that can't be"
                    + " read counts as false.");

    public static final Setting<Boolean> ACTIONS = Setting.bool(
            PREFIX + "actions",
            false,
            "Whether the page may change anything: pause and resume healing, heal now, lift a pin, advise or act. Only for"
                    + " those who may change something in HBase's own UI and have the ADMIN permission; docs/page.md says"
                    + " who that is.");

    public static final Setting<Long> SAMPLE_MS = Setting.millis(
            PREFIX + "sample.ms",
            60_000L,
            1_000L,
            3_600_000L,
            "How often the heat of the hottest regions is sampled; the page shows the last 60 samples of each.");

    /** Every key, in the order of the documentation. */
    public static final List<Setting<?>> ALL = List.of(ENABLED, ACTIONS, SAMPLE_MS);

    /** A configuration, and what could not be used in it. Immutable. */
    public record Reading(PageConfig config, List<ConfigProblem> problems) {

        public Reading {
            problems = List.copyOf(problems);
        }
    }

    private PageSettings() {}

    /**
     * Reads every key; what can't be used is a problem and its default holds, or the careful choice where there is one.
     *
     * @param where the name of the configuration in messages
     */
    public static Reading read(String where, RawSettings raw) {
        SettingsReader reader = new SettingsReader(where, raw);
        boolean enabled = raw.value(ENABLED.key()).isEmpty() || reader.read(ENABLED, false);
        PageConfig config = new PageConfig(enabled, reader.read(ACTIONS), reader.read(SAMPLE_MS));
        List<ConfigProblem> problems = new ArrayList<>(reader.problems());
        List<String> keys = ALL.stream().map(Setting::key).toList();
        problems.addAll(UnknownKeys.find(where, raw, PREFIX, keys::contains, keys));
        return new Reading(config, problems);
    }
}
