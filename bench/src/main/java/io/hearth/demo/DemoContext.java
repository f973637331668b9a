// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.measure.KeySpace;
import java.nio.file.Path;

/**
 * What every phase works with.
 *
 * @param options of the run
 * @param console where it prints
 * @param reportBuilder where its results go
 * @param cluster the cluster, started
 * @param inspector what the demo reads of the cluster
 * @param keys of the demo's table
 */
record DemoContext(
        DemoOptions options,
        DemoConsole console,
        DemoReportBuilder reportBuilder,
        EmbeddedCluster cluster,
        ClusterInspector inspector,
        KeySpace keys) {

    /**
     * What a person may choose about a run.
     *
     * @param hosts each with a DataNode and a RegionServer
     * @param racks that the hosts are spread over
     * @param regions of the table
     * @param dataMegabytes of values that are loaded
     * @param report where the page goes
     * @param seed of the load's shares and keys
     * @param keep whether the cluster stays up at the end until Ctrl-C
     */
    record DemoOptions(int hosts, int racks, int regions, int dataMegabytes, Path report, long seed, boolean keep) {}
}
