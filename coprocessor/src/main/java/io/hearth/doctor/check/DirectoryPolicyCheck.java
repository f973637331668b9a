// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.Command;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProbedDirectory;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** Folders of HBase whose blocks are not three whole replicas on ordinary disks. */
final class DirectoryPolicyCheck implements Check {

    private static final FindingTemplate STRIPED = new FindingTemplate(
            "erasure-coding",
            Severity.ERROR,
            "No host has a whole block: nothing there is ever local, short-circuit reads are out, and the healer leaves it alone.",
            "StripedBlockUtil; docs/internals.md",
            new Command(
                    "hdfs ec -unsetPolicy -path FOLDER    # for new files; a major compaction writes the others anew"));

    private static final FindingTemplate TYPED = new FindingTemplate(
            "storage-policy",
            Severity.INFO,
            "A replica is moved from a storage of one type to one of the same type only: without such a storage on the RegionServer's host the block stays"
                    + " remote.",
            "BlockStoragePolicy",
            new Command("hdfs storagepolicies -getStoragePolicy -path FOLDER"));

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
        findings.addAll(STRIPED.foundIfAny(
                directories.stream()
                        .filter(directory -> !directory.erasureCoding().isEmpty())
                        .map(directory -> directory.path() + " (" + directory.erasureCoding() + ")")
                        .toList(),
                "These folders of HBase are erasure coded."));
        findings.addAll(TYPED.foundIfAny(
                directories.stream()
                        .filter(directory -> !directory.storagePolicy().isEmpty())
                        .map(directory -> directory.path() + " (" + directory.storagePolicy() + ")")
                        .toList(),
                "These folders of HBase have a storage policy of their own."));
        return findings;
    }
}
