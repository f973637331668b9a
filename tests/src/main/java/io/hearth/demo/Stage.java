package io.hearth.demo;

import io.hearth.cluster.EmbeddedCluster;
import io.hearth.demo.console.DemoConsole;
import io.hearth.demo.measure.KeySpace;

/**
 * What every phase works with.
 *
 * @param options of the run
 * @param console where it prints
 * @param findings where its results go
 * @param cluster the cluster, started
 * @param watch the demo's eyes on the cluster
 * @param keys of the demo's table
 */
record Stage(
        DemoOptions options,
        DemoConsole console,
        Findings findings,
        EmbeddedCluster cluster,
        ClusterWatch watch,
        KeySpace keys) {}
