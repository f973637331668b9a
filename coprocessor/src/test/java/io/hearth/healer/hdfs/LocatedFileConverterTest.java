// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.hdfs.NameNodeFiles.LocatedFileConverter;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.StoreFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.crypto.CipherSuite;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.junit.jupiter.api.Test;

/** HDFS's own records in, ours out. */
class LocatedFileConverterTest {

    private static final BlockStoragePolicy[] POLICIES =
            BlockStoragePolicySuite.createDefaultSuite().getAllPolicies();

    private final AtomicInteger asked = new AtomicInteger();
    private final StoragePolicies policies = new StoragePolicies(() -> {
        asked.incrementAndGet();
        return POLICIES;
    });
    private final LocatedFileConverter files = new LocatedFileConverter(new DataNodeCache(() -> 0), policies);

    @Test
    void theStoragePolicySaysWhichTypesAreWanted() throws IOException {
        assertThat(wanted(HdfsConstants.HOT_STORAGE_POLICY_ID))
                .containsOnly(StorageType.DISK)
                .hasSize(3);
        assertThat(wanted(HdfsConstants.ONESSD_STORAGE_POLICY_ID))
                .containsExactlyInAnyOrder(StorageType.SSD, StorageType.DISK, StorageType.DISK);
        assertThat(wanted(HdfsConstants.WARM_STORAGE_POLICY_ID))
                .containsExactlyInAnyOrder(StorageType.DISK, StorageType.ARCHIVE, StorageType.ARCHIVE);
        assertThat(wanted(HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED))
                .as("HDFS's default")
                .isEqualTo(wanted(HdfsConstants.HOT_STORAGE_POLICY_ID));
        assertThat(asked).hasValue(1);
    }

    @Test
    void aPolicyThatTheNameNodeDoesNotHave() {
        assertThatThrownBy(() -> wanted((byte) 3))
                .isInstanceOf(IOException.class)
                .hasMessage("The NameNode's storage policies have none of the id 3 that a file of it has.");
    }

    @Test
    void anEncryptedFileIsAsAnyOther() throws IOException {
        FileEncryptionInfo encrypted = new FileEncryptionInfo(
                CipherSuite.AES_CTR_NOPADDING,
                CryptoProtocolVersion.ENCRYPTION_ZONES,
                new byte[16],
                new byte[16],
                "key",
                "key@0");

        StoreFile file = files.storeFile("/f", status(encrypted, null));

        assertThat(file).isEqualTo(files.storeFile("/f", status(null, null)));
        assertThat(file.blocks()).hasSize(1);
        assertThat(file.striped()).isFalse();
    }

    @Test
    void anErasureCodedFileIsStriped() throws IOException {
        ErasureCodingPolicy policy = SystemErasureCodingPolicies.getPolicies().get(0);

        assertThat(files.storeFile("/f", status(null, policy)).striped()).isTrue();
    }

    @Test
    void upgradeDomainUseAndRoomOfADataNode() {
        DatanodeInfo info = node().build();
        info.setUpgradeDomain("ud1");

        assertThat(new DataNodeCache(() -> 0).note(info, "/f").upgradeDomain()).contains("ud1");
        assertThat(new DataNodeCache(() -> 0).note(info, "/f").usedShare()).hasValue(0.25);
        assertThat(new DataNodeCache(() -> 0)
                        .note(node().setCapacity(0).setDfsUsed(0).build(), "/f")
                        .usedShare())
                .isEmpty();
        assertThat(new DataNodeCache(() -> 0)
                        .note(node().setRemaining(700).build(), "/f")
                        .freeBytes())
                .hasValue(700);
        assertThat(new DataNodeCache(() -> 0)
                        .note(node().setCapacity(0).build(), "/f")
                        .freeBytes())
                .isEmpty();
    }

    private List<StorageType> wanted(byte policy) throws IOException {
        return policies.wantedTypes(policy, 3);
    }

    private static HdfsLocatedFileStatus status(FileEncryptionInfo encryption, ErasureCodingPolicy coding) {
        LocatedBlock block = new LocatedBlock(
                new ExtendedBlock("pool", 1, 100, 1),
                new DatanodeInfoWithStorage[] {
                    new DatanodeInfoWithStorage(node().build(), "DS-1", org.apache.hadoop.fs.StorageType.DISK)
                },
                new String[] {"DS-1"},
                new org.apache.hadoop.fs.StorageType[] {org.apache.hadoop.fs.StorageType.DISK});
        LocatedBlocks blocks = new LocatedBlocks(100, false, List.of(block), block, true, encryption, coding);
        return (HdfsLocatedFileStatus) new HdfsFileStatus.Builder()
                .length(100)
                .replication(1)
                .path("f".getBytes(StandardCharsets.UTF_8))
                .feInfo(encryption)
                .ecPolicy(coding)
                .locations(blocks)
                .build();
    }

    private static DatanodeInfoBuilder node() {
        return new DatanodeInfoBuilder()
                .setDatanodeUuid("uuid")
                .setHostName("h")
                .setIpAddr("10.0.0.1")
                .setXferPort(9866)
                .setNetworkLocation("/r")
                .setAdminState(DatanodeInfo.AdminStates.NORMAL)
                .setCapacity(1_000)
                .setDfsUsed(250);
    }
}
