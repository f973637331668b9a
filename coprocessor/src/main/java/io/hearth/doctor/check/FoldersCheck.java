package io.hearth.doctor.check;

import io.hearth.doctor.model.Examined;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.FoundFolder;
import io.hearth.doctor.model.Remedy.Command;
import io.hearth.doctor.model.Severity;
import java.util.ArrayList;
import java.util.List;

/** Folders of HBase whose blocks are not three whole replicas on ordinary disks. */
final class FoldersCheck implements Check {

    private static final Diagnosis STRIPED = new Diagnosis(
            "erasure-coding",
            Severity.FAULT,
            "No host has a whole block: nothing there is ever local, short-circuit reads are out, and the healer leaves it alone.",
            "StripedBlockUtil; docs/hbase-seams.md",
            new Command(
                    "hdfs ec -unsetPolicy -path FOLDER    # for new files; a major compaction writes the others anew"));

    private static final Diagnosis TYPED = new Diagnosis(
            "storage-policy",
            Severity.NOTE,
            "A replica is moved from a storage of one type to one of the same type only: without such a storage on the RegionServer's host the block stays"
                    + " away from home.",
            "BlockStoragePolicy",
            new Command("hdfs storagepolicies -getStoragePolicy -path FOLDER"));

    @Override
    public String name() {
        return STRIPED.check();
    }

    @Override
    public List<Finding> examine(Examined cluster) {
        List<Finding> findings = new ArrayList<>();
        cluster.hdfs().folders().whyUnknown().ifPresent(why -> findings.add(STRIPED.unknown(List.of(), why)));
        List<FoundFolder> folders = cluster.hdfs().folders().ifKnown().orElse(List.of());
        findings.addAll(STRIPED.foundIfAny(
                folders.stream()
                        .filter(folder -> !folder.erasureCoding().isEmpty())
                        .map(folder -> folder.path() + " (" + folder.erasureCoding() + ")")
                        .toList(),
                "These folders of HBase are erasure coded."));
        findings.addAll(TYPED.foundIfAny(
                folders.stream()
                        .filter(folder -> !folder.storagePolicy().isEmpty())
                        .map(folder -> folder.path() + " (" + folder.storagePolicy() + ")")
                        .toList(),
                "These folders of HBase have a storage policy of their own."));
        return findings;
    }
}
