// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.CIPHER_SUITES;
import static io.hearth.doctor.model.HadoopKey.ENCRYPT_TRANSFER;
import static io.hearth.doctor.model.Role.DATANODE;
import static io.hearth.doctor.model.Role.NAMENODE;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Fix.ConfigLine;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.Severity;
import java.util.List;
import java.util.Optional;

/** Whether NameNode and DataNodes agree on the encryption of block data, and whether it is a fast one. */
final class EncryptionChecks {

    private EncryptionChecks() {}

    static List<Check> all() {
        return List.of(cipher(), new Agreement());
    }

    private static Check cipher() {
        return new SettingCheck(
                DATANODE,
                new FindingTemplate(
                        "encryption-cipher",
                        Severity.WARNING,
                        "Every byte that readers, pipelines and heals send goes through 3DES or RC4, at some 10 MB/s of a core.",
                        "HDFS-6606; default of HDFS",
                        ConfigLine.of(DATANODE, CIPHER_SUITES, "AES/CTR/NoPadding"),
                        ConfigLine.of(io.hearth.doctor.model.Role.REGIONSERVER, CIPHER_SUITES, "AES/CTR/NoPadding")),
                settings -> settings.is(ENCRYPT_TRANSFER)
                                && settings.text(CIPHER_SUITES).isEmpty()
                        ? Optional.of("Data transfer is encrypted without AES: " + CIPHER_SUITES.key() + " is not set.")
                        : Optional.empty());
    }

    /** DataNodes that do not go by the NameNode's word refuse clients that do, and each other. */
    private static final class Agreement implements Check {

        private static final FindingTemplate TEMPLATE = new FindingTemplate(
                "encryption",
                Severity.ERROR,
                "Clients ask the NameNode whether to encrypt: these DataNodes refuse them, and moves between them and the others fail.",
                "DFSClient.newDataEncryptionKey; SaslDataTransferServer");

        @Override
        public String name() {
            return TEMPLATE.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            Optional<Boolean> word = cluster.daemons(NAMENODE)
                    .flatMap(node -> node.settings().ifKnown().stream())
                    .map(node -> node.is(ENCRYPT_TRANSFER))
                    .findFirst();
            return word.map(encrypts -> TEMPLATE.withFixes(List.of(ConfigLine.of(DATANODE, ENCRYPT_TRANSFER, encrypts)))
                            .foundIfAny(
                                    cluster.daemons(DATANODE)
                                            .filter(node -> node.settings()
                                                    .ifKnown()
                                                    .filter(own -> own.is(ENCRYPT_TRANSFER) != encrypts)
                                                    .isPresent())
                                            .map(ProbedCluster.Daemon::name)
                                            .toList(),
                                    ENCRYPT_TRANSFER.key() + " is not as the NameNode has it."))
                    .orElse(List.of());
        }
    }
}
