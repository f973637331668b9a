// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.DEFAULT_FILE_SYSTEM;
import static io.hearth.doctor.model.HadoopKey.ROOT_DIR;

import io.hearth.balancer.locality.ObjectStores;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Advice;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;

/** That HBase's files are in an object store, which is said in the place of everything about HDFS, DataNodes and local reads. */
final class ObjectStoreFinding {

    private static final FindingTemplate INFO = new FindingTemplate(
            "object-store",
            Severity.INFO,
            "No block is local to any server: locality is no part of plans, healing does not run, and nothing of HDFS is checked here.",
            "hbase.rootdir",
            new Advice("Leave io.hearth.healer.hbase.LocalityHealingObserver out of hbase.coprocessor.master.classes"));

    private ObjectStoreFinding() {}

    static Optional<Finding> of(ProbedCluster cluster) {
        ProcessConfig master = cluster.settingsOf(cluster.master().settings());
        return ObjectStores.rootFolder(master.text(ROOT_DIR), master.text(DEFAULT_FILE_SYSTEM))
                .map(root -> INFO.found(
                        List.of(), "HBase's files are in an object store: " + ROOT_DIR.key() + " is " + root + "."));
    }

    /** Whether a finding is of something that is there: NameNodes and DataNodes that could not be read are not. */
    static boolean isNotOfHdfs(Finding finding) {
        return !finding.check().equals(UnreadableCheck.HDFS);
    }
}
