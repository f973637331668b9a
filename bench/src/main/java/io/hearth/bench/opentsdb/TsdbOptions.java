// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.opentsdb;

import io.hearth.bench.opentsdb.stream.TsdbRowKeys;
import java.util.Map;

/**
 * What somebody wants of a run.
 *
 * @param pointsPerSecond of all series together
 * @param table how the table of data points is laid out
 * @param seed chooses which metrics are hot, and which server dies
 * @param stock whether HBase's own balancer tries first
 * @param crash whether a server dies
 * @param checkOnly only whether points can be written and read: nothing is balanced, nobody dies
 * @param keep leaves the TSD and its tables
 * @param settings lines for opentsdb.conf, over all others
 */
record TsdbOptions(
        int pointsPerSecond,
        TsdbRowKeys table,
        long seed,
        boolean stock,
        boolean crash,
        boolean checkOnly,
        boolean keep,
        Map<String, String> settings) {

    /** Each metric is reported by this many. */
    static final int HOSTS = 8;
}
