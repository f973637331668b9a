// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same sources, compiled against HBase 3 and run in a mini cluster of it. The release checks run its unit tests too. */
@Tag("soak")
@Tag("large")
class HBase3IT {

    @Test
    void bothJarsWorkInAMiniClusterOfIt() throws Exception {
        MavenRun.runUnchecked("hbase-3", 20, "-Phbase-3", "verify", "-Dunit.tests.skip=true");
    }
}
