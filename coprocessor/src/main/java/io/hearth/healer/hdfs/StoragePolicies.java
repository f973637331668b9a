// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hdfs;

import io.hearth.healer.model.DataNode.StorageType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The storage types that each storage policy wants. The NameNode is asked once: its policies are built in. Thread-safe.
 */
final class StoragePolicies {

    /** Asks the NameNode for its policies. */
    interface Source {
        BlockStoragePolicy[] policies() throws IOException;
    }

    /** What a file has of which no folder above it names a policy. */
    private static final byte UNSPECIFIED = HdfsConstants.BLOCK_STORAGE_POLICY_ID_UNSPECIFIED;

    private final Source source;
    private final Map<Byte, BlockStoragePolicy> policyById = new ConcurrentHashMap<>();

    StoragePolicies(Source source) {
        this.source = source;
    }

    /** The types that this policy wants for so many replicas, one for each. */
    List<StorageType> wantedTypes(byte policyId, int replication) throws IOException {
        return policy(policyId == UNSPECIFIED ? HdfsConstants.HOT_STORAGE_POLICY_ID : policyId)
                .chooseStorageTypes((short) replication)
                .stream()
                .map(StoragePolicies::storageType)
                .toList();
    }

    static StorageType storageType(org.apache.hadoop.fs.StorageType type) {
        return StorageType.valueOf(type.name());
    }

    private BlockStoragePolicy policy(byte id) throws IOException {
        if (policyById.isEmpty()) {
            for (BlockStoragePolicy policy : source.policies()) {
                policyById.put(policy.getId(), policy);
            }
        }
        BlockStoragePolicy policy = policyById.get(id);
        if (policy == null) {
            throw new IOException(
                    "The NameNode's storage policies have none of the id " + id + " that a file of it has.");
        }
        return policy;
    }
}
