// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import io.hearth.common.log.PrintableName;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;

/**
 * One thing in the configuration that can't be used as it stands: where it is, what it is, and one line for the operator.
 * Two problems are equal if they say the same. Immutable.
 *
 * @param where the site or the table that holds the key
 * @param key the key as it was written
 * @param message one line: what, where, what is allowed, what is used instead
 */
public record ConfigProblem(String where, String key, String message) {

    public ConfigProblem {
        message = PrintableName.of(message);
    }

    static ConfigProblem badValue(String where, Setting<?> setting, String value, Object usedInstead) {
        return new ConfigProblem(
                where,
                setting.key(),
                setting.key() + " = '" + value + "' in " + where + " can't be used: it must be " + setting.allowed()
                        + ". " + usedInstead + " is used instead.");
    }

    public static ConfigProblem notInstalled(String where, String key, String jar) {
        return new ConfigProblem(
                where,
                key,
                key + " in " + where + " is a key of " + jar + ", which is not installed here, and has no effect.");
    }

    static ConfigProblem unknownKey(String where, String key, Optional<String> nearest) {
        return new ConfigProblem(
                where,
                key,
                key + " in " + where + " is not a key of Hearth and has no effect."
                        + nearest.map(known -> " The nearest known key is " + known + ".")
                                .orElse(""));
    }

    static ConfigProblem renamedKey(String where, String key, String now) {
        return new ConfigProblem(
                where, key, key + " in " + where + " was renamed to " + now + " and has no effect under its old name.");
    }

    @Override
    public String toString() {
        return message;
    }

    /** Logs each configuration problem once for as long as it lasts; a problem that was mended and comes back is new. */
    public static final class ConfigProblemLog {

        private final Logger log;
        private Set<ConfigProblem> known = Set.of();

        public ConfigProblemLog(Logger log) {
            this.log = log;
        }

        /** Takes all problems that there are now, and logs those that are new; says how many are new. */
        public synchronized int report(Collection<ConfigProblem> now) {
            Set<ConfigProblem> all = new HashSet<>(now);
            int fresh = 0;
            for (ConfigProblem problem : now) {
                if (!known.contains(problem)) {
                    log.warn("{}", problem.message());
                    fresh++;
                }
            }
            known = all;
            return fresh;
        }
    }
}
