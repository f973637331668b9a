// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BALANCER;
import static io.hearth.doctor.model.HadoopKey.BLOCK_PINNING;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDirectory;
import java.util.ArrayList;
import java.util.List;

/** What keeps replicas away from the servers that read them: pins, policies of folders, the HDFS Balancer. */
final class ReplicaChecks {

    private ReplicaChecks() {}

    static List<Check> all() {
        return List.of(new BlockPinningCheck(), new DirectoryPolicyCheck(), new HdfsBalancerCheck());
    }

    /** Replicas that stay where a writer has put them: pinned ones, which need favoured nodes. */
    private static final class BlockPinningCheck implements Check {

        private static final FindingTemplate PINNED = new FindingTemplate(
                "block-pinning",
                Severity.WARNING,
                "Replicas that a writer has placed on favoured nodes are pinned there: DataNodes refuse to have them moved, and such blocks stay"
                        + " remote.",
                "DataXceiver.replaceBlock; default of HDFS",
                ConfigLine.of(DATANODE, BLOCK_PINNING, false));

        private static final FindingTemplate FAVOURED = new FindingTemplate(
                "favoured-nodes",
                Severity.WARNING,
                "Two plans of where replicas belong work against one another: that of the favoured nodes and that of the healer.",
                "FavoredNodeLoadBalancer",
                ConfigLine.of(
                        io.hearth.doctor.model.ProcessConfig.Role.HMASTER,
                        BALANCER,
                        "io.hearth.balancer.HearthLoadBalancer"));

        @Override
        public String name() {
            return PINNED.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<Finding> findings = new ArrayList<>(PINNED.foundIfAny(
                    cluster.daemons(DATANODE)
                            .filter(node -> cluster.settingsOf(node.settings()).is(BLOCK_PINNING))
                            .map(ProbedCluster.Daemon::name)
                            .toList(),
                    "Replicas on favoured nodes are pinned: " + BLOCK_PINNING.key() + " is true."));
            if (cluster.settingsOf(cluster.master().settings()).text(BALANCER).contains("Favored")) {
                findings.addAll(FAVOURED.found("The HMaster's balancer deals out favoured nodes."));
            }
            return findings;
        }
    }

    /** Folders of HBase whose blocks are not three whole replicas on ordinary disks. */
    private static final class DirectoryPolicyCheck implements Check {

        private static final FindingTemplate STRIPED = new FindingTemplate(
                "erasure-coding",
                Severity.ERROR,
                "No host has a whole block: nothing there is ever local, short-circuit reads are out, and the healer leaves it alone.",
                "StripedBlockUtil; docs/internals.md",
                new Advice("That is for new files; have a major compaction write the others anew"));

        private static final FindingTemplate TYPED = new FindingTemplate(
                "storage-policy",
                Severity.INFO,
                "A replica is moved from a storage of one type to one of the same type only: without such a storage on the RegionServer's host the block stays"
                        + " remote.",
                "BlockStoragePolicy");

        @Override
        public String name() {
            return STRIPED.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<Finding> findings = new ArrayList<>();
            cluster.hdfs().directories().whyUnknown().ifPresent(why -> findings.add(STRIPED.unknown(List.of(), why)));
            List<ProbedDirectory> directories =
                    cluster.hdfs().directories().ifKnown().orElse(List.of());
            findings.addAll(DirectoryFindings.of(
                    STRIPED,
                    "hdfs ec -setPolicy -replicate -path",
                    directories,
                    ProbedDirectory::erasureCoding,
                    "These folders of HBase are erasure coded."));
            findings.addAll(DirectoryFindings.of(
                    TYPED,
                    "hdfs storagepolicies -getStoragePolicy -path",
                    directories,
                    ProbedDirectory::storagePolicy,
                    "These folders of HBase have a storage policy of their own."));
            return findings;
        }
    }

    /** Whether the HDFS Balancer or Mover is at work, which moves replicas without regard to who reads them. */
    private static final class HdfsBalancerCheck implements Check {

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
            cluster.hdfs()
                    .hdfsBalancers()
                    .whyUnknown()
                    .ifPresent(why -> findings.add(TEMPLATE.unknown(List.of(), why)));
            findings.addAll(TEMPLATE.foundIfAny(
                    cluster.hdfs().hdfsBalancers().ifKnown().orElse(List.of()), "It runs just now."));
            return findings;
        }
    }
}
