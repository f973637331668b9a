// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.datanode.deletion;

import io.hearth.datanode.deletion.Replicas.PendingDeletion;
import io.hearth.datanode.deletion.Replicas.ReplicaId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A DataNode of maps. */
final class FakeReplicas implements Replicas {

    final Map<ReplicaId, String> volumeByReplica = new HashMap<>();
    final Map<String, Long> freeByVolume = new HashMap<>();
    final List<ReplicaId> deleted = new ArrayList<>();
    final Set<ReplicaId> heldOpen = new HashSet<>();

    ReplicaId put(String blockPool, long blockId, String volume) {
        ReplicaId replica = new ReplicaId(blockPool, blockId, 1_001);
        volumeByReplica.put(replica, volume);
        freeByVolume.putIfAbsent(volume, Long.MAX_VALUE);
        return replica;
    }

    @Override
    public Optional<String> volumeOf(ReplicaId replica) {
        return Optional.ofNullable(volumeByReplica.get(replica));
    }

    @Override
    public boolean isHeldOpen(ReplicaId replica) {
        return heldOpen.contains(replica);
    }

    @Override
    public OptionalLong freeBytes(String volume) {
        Long free = freeByVolume.get(volume);
        return free == null ? OptionalLong.empty() : OptionalLong.of(free);
    }

    @Override
    public void delete(String blockPool, List<PendingDeletion> deletions) {
        deletions.forEach(deletion -> {
            if (!deletion.replica().blockPool().equals(blockPool)) {
                throw new AssertionError(deletion + " is not of " + blockPool);
            }
            deleted.add(deletion.replica());
        });
    }
}
