// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.List;

/**
 * One thing that the doctor has to say. Immutable.
 *
 * @param check the name of the check that found it, which stays the same: {@code read-block-locations}
 * @param where the processes or folders that it is about; empty for the cluster as a whole
 * @param what what is so, one or two sentences
 * @param cost what comes of it; of an unknown, what it hides
 * @param fixes what to do, in this order; its lines are for together, what is instead of them is advice
 * @param source whose word it is: a measurement, a default, an issue of HBase or HDFS
 */
public record Finding(
        String check, Severity severity, List<String> where, String what, String cost, List<Fix> fixes, String source) {

    public Finding {
        where = where.stream().sorted().distinct().toList();
        fixes = List.copyOf(fixes);
    }
}
