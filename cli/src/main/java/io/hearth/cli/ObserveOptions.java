// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.client.ClusterClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that observes a cluster, through Hearth in its master or from outside. */
final class ObserveOptions {

    private static final int MIN_SECONDS = 2;
    private static final int MAX_SECONDS = 3_600;

    @Option(
            names = "--observe-seconds",
            paramLabel = "N",
            description = {
                "where Hearth is not in the master: how long to observe,",
                "2 to 3600 (default: 6 to show, 30 to plan)"
            })
    private @Nullable Integer seconds;

    @Mixin
    private ClusterOptions cluster;

    ObserveOptions() {}

    ClusterOptions cluster() {
        return cluster;
    }

    int seconds(int otherwise) {
        int value = Optional.ofNullable(seconds).orElse(otherwise);
        if (value < MIN_SECONDS || value > MAX_SECONDS) {
            throw cluster.problem(
                    "--observe-seconds is " + value + "; allowed are " + MIN_SECONDS + " to " + MAX_SECONDS);
        }
        return value;
    }

    /** Who says what is shown, as the end of a line. */
    static String source(ClusterClient.Observation observation, String master) {
        return (observation.byMaster()
                        ? "by Hearth in the master "
                        : "seen from outside; the master without Hearth is ")
                + master
                + (observation.silentServers() == 0
                        ? ""
                        : "; RegionServers that have not answered, and are not in it: " + observation.silentServers());
    }
}
