// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The keys and values of a configuration before anything was parsed; hbase-site.xml in the HMaster, a map in a test. */
public interface RawSettings {

    /** The value of this key, trimmed, or empty where it is not set. */
    Optional<String> value(String key);

    /** Every key that is set and begins with this prefix. */
    SortedSet<String> keysWithPrefix(String prefix);

    /** Settings that are held in a map: for tests, for tools and for a table descriptor's values. Immutable. */
    final class MapSettings implements RawSettings {

        private final NavigableMap<String, String> valueByKey;

        public MapSettings(Map<String, String> valueByKey) {
            this.valueByKey = Collections.unmodifiableNavigableMap(new TreeMap<>(valueByKey));
        }

        @Override
        public Optional<String> value(String key) {
            return Optional.ofNullable(valueByKey.get(key)).map(String::trim);
        }

        @Override
        public SortedSet<String> keysWithPrefix(String prefix) {
            return valueByKey.tailMap(prefix, true).keySet().stream()
                    .takeWhile(key -> key.startsWith(prefix))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
