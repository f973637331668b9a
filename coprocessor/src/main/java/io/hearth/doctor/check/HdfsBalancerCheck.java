// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** Whether the HDFS Balancer or Mover is at work, which moves replicas without regard to who reads them. */
final class HdfsBalancerCheck implements Check {

    private static final FindingTemplate TEMPLATE = new FindingTemplate(
            "hdfs-balancer",
            Severity.WARNING,
            "It takes replicas away from the servers that read them, and shares quota and bandwidth with the healer, which goes slower meanwhile."
                    + " Whether it is scheduled nobody can say from outside.",
            "NameNodeConnector: /system/balancer.id, /system/mover.id",
            new Advice(
                    "Let it end, and then take it off the schedule, or leave HBase's hosts out with -exclude -f FILE"));

    @Override
    public String name() {
        return TEMPLATE.check();
    }

    @Override
    public List<Finding> examine(ProbedCluster cluster) {
        List<Finding> findings = new ArrayList<>();
        cluster.hdfs().hdfsBalancers().whyUnknown().ifPresent(why -> findings.add(TEMPLATE.unknown(List.of(), why)));
        findings.addAll(
                TEMPLATE.foundIfAny(cluster.hdfs().hdfsBalancers().ifKnown().orElse(List.of()), "It runs just now."));
        return findings;
    }
}
