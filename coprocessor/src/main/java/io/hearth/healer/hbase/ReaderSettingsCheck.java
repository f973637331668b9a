package io.hearth.healer.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings without which RegionServers neither report nor read what was healed until a region is reopened. They belong to
 * the RegionServers; the master's configuration is the nearest that can be seen from here.
 */
final class ReaderSettingsCheck {

    static final String DERIVE = "hbase.locality.inputstream.derive.enabled";
    static final String REFRESH_MS = "dfs.client.refresh.read-block-locations.ms";

    private ReaderSettingsCheck() {}

    /** One line of advice, if there is something to say. */
    static Optional<String> advice(Configuration conf) {
        List<String> off = new ArrayList<>();
        if (!conf.getBoolean(DERIVE, false)) {
            off.add(DERIVE + " = true");
        }
        if (conf.getLong(REFRESH_MS, 0) <= 0) {
            off.add(REFRESH_MS + " = 10000 or less");
        }
        return off.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "As far as the master's configuration shows, RegionServers will neither read healed blocks"
                                + " locally nor report the healed locality before a region is reopened. Set "
                                + String.join(" and ", off) + " on the RegionServers.");
    }
}
