// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.CHECKSUM_VERIFY;
import static io.hearth.doctor.model.HadoopKey.REPLICATION;
import static io.hearth.doctor.model.HadoopKey.SKIP_CHECKSUM;
import static io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import java.util.List;
import java.util.Optional;

/** Checks whether a corrupt block is noticed, and whether another replica exists then. */
final class ReadIntegrityChecks {

    private ReadIntegrityChecks() {}

    static List<Check> all() {
        return List.of(skipped(), verified(), replication(), new SingleReplicaFilesCheck());
    }

    private static Check skipped() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "skip-checksum",
                        Severity.ERROR,
                        "A block that is corrupt on the disk is read as it is where HBase has no checksum of its own (WALs), and again where HBase has"
                                + " found one wrong and asks HDFS for a better copy.",
                        "default of HDFS; HFileSystem switches HDFS's checksums off by itself where HBase's do",
                        ConfigLine.of(REGIONSERVER, SKIP_CHECKSUM, false)),
                settings -> settings.is(SKIP_CHECKSUM)
                        ? Optional.of(
                                "Short-circuit reads never look at checksums: " + SKIP_CHECKSUM.key() + " is true.")
                        : Optional.empty());
    }

    private static Check verified() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "checksum-verify",
                        Severity.WARNING,
                        "Every read of a store file needs HDFS's checksums, which lie in a file of their own: two reads of the disk in the place of one.",
                        "HBASE-5074; default of HBase",
                        ConfigLine.of(REGIONSERVER, CHECKSUM_VERIFY, true)),
                settings -> settings.is(CHECKSUM_VERIFY)
                        ? Optional.empty()
                        : Optional.of("HBase's own checksums in store files are not used: " + CHECKSUM_VERIFY.key()
                                + " is false."));
    }

    private static Check replication() {
        return new SettingCheck(
                REGIONSERVER,
                new FindingTemplate(
                        "replication",
                        Severity.ERROR,
                        "What this server writes is gone with the first disk that fails, WALs too, and the healer can't move a block that has one replica"
                                + " without a moment of risk.",
                        "default of HDFS: 3; the client who writes a file decides",
                        ConfigLine.of(REGIONSERVER, REPLICATION, REPLICATION.defaultValue())),
                settings -> settings.number(REPLICATION) < 2
                        ? Optional.of("Files are written with one replica: " + REPLICATION.key() + " is "
                                + settings.number(REPLICATION) + ".")
                        : Optional.empty());
    }

    private static final class SingleReplicaFilesCheck implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "files-of-one-replica",
                Severity.ERROR,
                "They are gone with the first disk that fails.",
                "NameNode getListing",
                new Advice(
                        "Set " + REPLICATION.key() + " to 3 for whoever wrote them, or the next flush is like them"));

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            return DirectoryFindings.of(
                    TEMPLATE,
                    "hdfs dfs -setrep -R 3",
                    cluster.hdfs().directories().ifKnown().orElse(List.of()),
                    directory -> directory.singleReplicaFiles() > 0 ? "" + directory.singleReplicaFiles() : "",
                    "These folders of HBase have files of one replica; how many were met is in brackets.");
        }
    }
}
