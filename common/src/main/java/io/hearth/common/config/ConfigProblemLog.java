// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.config;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/** Logs each configuration problem once for as long as it lasts; a problem that was mended and comes back is new. */
public final class ConfigProblemLog {

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
