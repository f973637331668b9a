// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.model;

import java.util.List;

/**
 * What HDFS says to the user as whom the doctor asks. Immutable.
 *
 * @param superuser whether that user may do what only an HDFS superuser may
 * @param directories the folders of HBase that have a policy of their own
 * @param hdfsBalancers those of the HDFS Balancer and Mover that run just now
 */
public record ProbedHdfs(
        ProbeResult<Boolean> superuser,
        ProbeResult<List<ProbedDirectory>> directories,
        ProbeResult<List<String>> hdfsBalancers) {}
