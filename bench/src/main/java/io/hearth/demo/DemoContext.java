// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import io.hearth.demo.console.DemoConsole;
import io.hearth.testkit.embedded.EmbeddedCluster;
import io.hearth.testkit.measure.KeySpace;

/**
 * What every phase works with.
 *
 * @param options of the run
 * @param console where it prints
 * @param reportBuilder where its results go
 * @param cluster the cluster, started
 * @param inspector the demo's eyes on the cluster
 * @param keys of the demo's table
 */
record DemoContext(
        DemoOptions options,
        DemoConsole console,
        DemoReportBuilder reportBuilder,
        EmbeddedCluster cluster,
        ClusterInspector inspector,
        KeySpace keys) {}
