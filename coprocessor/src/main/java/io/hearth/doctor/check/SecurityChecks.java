// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.check;

import static io.hearth.doctor.model.HadoopKey.BLOCK_TOKENS;
import static io.hearth.doctor.model.HadoopKey.CIPHER_SUITES;
import static io.hearth.doctor.model.HadoopKey.ENCRYPT_TRANSFER;
import static io.hearth.doctor.model.ProcessConfig.Role.DATANODE;
import static io.hearth.doctor.model.ProcessConfig.Role.NAMENODE;

import io.hearth.doctor.check.Doctor.Check;
import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix.Advice;
import io.hearth.doctor.model.Finding.Fix.ConfigLine;
import io.hearth.doctor.model.Finding.Severity;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.doctor.model.ProcessConfig.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the healer may move blocks, and whether NameNode and DataNodes agree on a fast encryption of block data. */
final class SecurityChecks {

    private SecurityChecks() {}

    static List<Check> all() {
        return List.of(new PrivilegesCheck(), cipher(), new Agreement());
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
                        ConfigLine.of(
                                io.hearth.doctor.model.ProcessConfig.Role.REGIONSERVER,
                                CIPHER_SUITES,
                                "AES/CTR/NoPadding")),
                settings -> settings.is(ENCRYPT_TRANSFER)
                                && settings.text(CIPHER_SUITES).isEmpty()
                        ? Optional.of("Data transfer is encrypted without AES: " + CIPHER_SUITES.key() + " is not set.")
                        : Optional.empty());
    }

    /** DataNodes that do not ask for block tokens refuse clients that do, and each other. */
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

    /** Whether a healer that runs as the user who asks may move blocks, and whether it knows that it needs block tokens. */
    private static final class PrivilegesCheck implements Check {

        private static final String SUPERUSERS = "dfs.permissions.superusergroup";

        private static final FindingTemplate NOT_PERMITTED = new FindingTemplate(
                "privileges",
                Severity.ERROR,
                "A healer with this user can move no block: the tokens are made of keys that only an HDFS superuser gets.",
                "NameNode getBlockKeys; docs/install.md",
                new Advice("Add the healer's user to " + SUPERUSERS
                        + " of the NameNode, or set hearth.healer.kerberos.principal and"
                        + " hearth.healer.keytab.file to a principal that is in it; and run the doctor as that user"));

        private static final FindingTemplate LEARNS_NODES = new FindingTemplate(
                "datanode-report",
                Severity.INFO,
                "A healer with this user learns DataNodes and racks from block locations, so that some regions wait until theirs is met.",
                "NameNode datanodeReport; docs/install.md",
                new Advice("Nothing, or as above all healers: a user in " + SUPERUSERS));

        private static final FindingTemplate DISAGREE = new FindingTemplate(
                "block-tokens",
                Severity.ERROR,
                "The healer goes by its own configuration: every move that it asks of a DataNode is refused for want of a token.",
                "BlockTokens; BlockTokenSecretManager",
                ConfigLine.of(Role.HEALER, BLOCK_TOKENS, true));

        @Override
        public String name() {
            return NOT_PERMITTED.check();
        }

        @Override
        public List<Finding> examine(ProbedCluster cluster) {
            List<ProcessConfig> nameNodes = cluster.daemons(Role.NAMENODE)
                    .flatMap(node -> node.settings().ifKnown().stream())
                    .toList();
            boolean needsTokens = (nameNodes.isEmpty() ? List.of(cluster.fallbackConfig()) : nameNodes)
                    .stream().anyMatch(node -> node.is(BLOCK_TOKENS));
            List<Finding> findings = new ArrayList<>();
            cluster.hdfs()
                    .superuser()
                    .whyUnknown()
                    .ifPresent(why -> findings.add(NOT_PERMITTED.unknown(List.of(), why)));
            if (cluster.hdfs().superuser().ifKnown().filter(may -> !may).isPresent()) {
                findings.addAll(
                        needsTokens
                                ? NOT_PERMITTED.found(
                                        "Block access tokens are on, and " + cluster.user() + " is no HDFS superuser.")
                                : LEARNS_NODES.found(
                                        "The NameNode gives its report of DataNodes to superusers only, and "
                                                + cluster.user() + " is none."));
            }
            if (needsTokens) {
                List<String> unaware = new ArrayList<>();
                cluster.master()
                        .settings()
                        .ifKnown()
                        .filter(own -> !own.is(BLOCK_TOKENS))
                        .ifPresent(own -> unaware.add(
                                Role.HMASTER.word() + " " + cluster.master().host()));
                if (!cluster.fallbackConfig().is(BLOCK_TOKENS)) {
                    unaware.add(cluster.fallbackName());
                }
                findings.addAll(DISAGREE.foundIfAny(
                        unaware,
                        "The NameNode asks for block tokens, and " + HadoopKey.BLOCK_TOKENS.key() + " is false here."));
            }
            return findings;
        }
    }
}
