// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import java.util.List;
import java.util.Optional;

/**
 * What one property of a site file has to be for Hearth, and what it is. Immutable.
 *
 * @param file the file that it belongs into
 * @param key the property
 * @param now its value in that file; empty where it has none
 * @param merged what it has to be, with all that is there already
 * @param lost what a value of Hearth's alone would lose, by full class names
 * @param optional whether Hearth's balancer and healer work without it
 * @param note what else is to be known, as a sentence
 */
public record Change(
        String file,
        String key,
        Optional<String> now,
        String merged,
        List<String> lost,
        boolean optional,
        Optional<String> note) {

    public Change {
        lost = List.copyOf(lost);
    }

    /** Whether the file says it already. */
    public boolean isDone() {
        return now.filter(merged::equals).isPresent();
    }

    /** The property as it is pasted. */
    public List<String> xml() {
        return List.of("<property>", "  <name>" + key + "</name>", "  <value>" + merged + "</value>", "</property>");
    }
}
