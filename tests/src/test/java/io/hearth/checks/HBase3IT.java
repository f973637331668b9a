// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.checks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same sources, compiled against HBase 3 and run in a mini cluster of it. */
@Tag("soak")
@Tag("large")
class HBase3IT {

    @Test
    void bothJarsWorkInAMiniClusterOfIt() throws Exception {
        // Format and Error Prone's checks are what the build of HBase 2 was held to; the release checks hold this one
        // to them too.
        MavenRun.run(
                "hbase-3",
                20,
                "-Phbase-3",
                "verify",
                "-Dunit.tests.skip=true",
                "-Dspotless.check.skip=true",
                "-Derror-prone.also=-XepDisableAllChecks");
    }
}
