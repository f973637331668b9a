// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.Optional;
import java.util.SortedSet;

/** The keys and values of a configuration before anything was parsed; hbase-site.xml in the HMaster, a map in a test. */
public interface RawSettings {

    /** The value of this key, trimmed, or empty where it is not set. */
    Optional<String> value(String key);

    /** Every key that is set and begins with this prefix. */
    SortedSet<String> keysWithPrefix(String prefix);
}
