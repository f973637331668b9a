// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.hadoop;

import io.hearth.common.config.RawSettings;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** Hadoop's configuration as raw settings. As live and as thread-safe as the configuration that it reads. */
public final class ConfigurationSettings implements RawSettings {

    private final Configuration configuration;

    public ConfigurationSettings(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Optional<String> value(String key) {
        return Optional.ofNullable(configuration.getTrimmed(key)).filter(value -> !value.isEmpty());
    }

    @Override
    public SortedSet<String> keysWithPrefix(String prefix) {
        SortedSet<String> keys = new TreeSet<>();
        for (Map.Entry<String, String> entry : configuration) {
            if (entry.getKey().startsWith(prefix)) {
                keys.add(entry.getKey());
            }
        }
        return keys;
    }
}
