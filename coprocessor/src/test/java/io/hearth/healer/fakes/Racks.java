// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.fakes;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.BlockReplicas.BlockId;
import io.hearth.healer.model.BlockReplicas.Replica;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNode.ServiceState;
import io.hearth.healer.model.DataNode.StorageType;
import io.hearth.healer.model.DataNode.Volume;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** DataNodes and blocks by short names: {@code b2} is the second node of rack {@code /b}, on the host {@code b2}. */
public final class Racks {

    private Racks() {}

    public static DataNode node(String name) {
        return node(name, ServiceState.IN_SERVICE);
    }

    public static DataNode node(String name, ServiceState state) {
        return node(name, state, disk(name, 1));
    }

    /** A node in service with these volumes, and with nothing known of its room as a whole. */
    public static DataNode node(String name, Volume... volumes) {
        return node(name, ServiceState.IN_SERVICE, volumes);
    }

    private static DataNode node(String name, ServiceState state, Volume... volumes) {
        return new DataNode(
                new DataNode.Id("uuid-" + name),
                name,
                "10.0.0." + name.hashCode(),
                "/" + name.substring(0, 1),
                state,
                Optional.empty(),
                OptionalDouble.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(volumes));
    }

    /** A healthy disk with more room than any test needs. */
    public static Volume disk(String node, int number) {
        return new Volume("DS-" + node + "-" + number, StorageType.DISK, true, 1L << 50, 0, 1L << 50);
    }

    public static BlockId blockId(long number) {
        return new BlockId("pool", number, 1001);
    }

    /** A block of 100 bytes on the disks of these nodes. */
    public static BlockReplicas block(long number, String... holders) {
        return new BlockReplicas(
                blockId(number),
                100,
                Arrays.stream(holders)
                        .map(name -> new Replica(node(name), StorageType.DISK))
                        .toList(),
                false);
    }
}
