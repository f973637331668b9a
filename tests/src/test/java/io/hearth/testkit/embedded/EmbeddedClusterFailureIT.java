// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedClusterFailureIT {
    @TempDir
    Path parent;

    @Test
    void aMasterThatEndsWhileStartingFailsTheStartAndLeavesNothingBehind() {
        Path directory = parent.resolve("cluster");
        EmbeddedCluster.Builder builder = EmbeddedCluster.builder()
                .hosts(2)
                .racks(1)
                .replication(2)
                .directory(directory)
                .property("hbase.coprocessor.master.classes", "no.such.Observer");
        assertThatThrownBy(builder::start)
                .isInstanceOf(IOException.class)
                .hasMessage("The master ended before it was initialized: the cluster's log file says why");
        assertThat(directory).doesNotExist();
        await("no server's thread keeps the JVM alive")
                .pollInSameThread()
                .atMost(Duration.ofSeconds(60))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread ->
                                !thread.isDaemon() && thread.getName().matches("(M|RS):.*|nioEventLoopGroup.*")));
    }
}
