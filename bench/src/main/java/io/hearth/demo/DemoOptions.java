// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo;

import java.nio.file.Path;

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
