package io.hearth.checks;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same sources, compiled against HBase 3 and run in a mini cluster of it. */
@Tag("soak")
class HBase3IT {

    @Test
    void bothJarsWorkInAMiniClusterOfIt() throws Exception {
        MavenRun.run("hbase-3", 20, "-Phbase-3", "verify", "-Dunit.tests.skip=true");
    }
}
