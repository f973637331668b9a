// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hdfs;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The live DataNodes as the NameNode has them. Immutable.
 *
 * @param nodes sorted by host
 */
public record DataNodeList(List<Node> nodes) {

    public DataNodeList {
        nodes = nodes.stream().sorted(Comparator.comparing(Node::host)).toList();
    }

    /**
     * One of them.
     *
     * @param host the name that it gives itself
     * @param version empty where only its own web UI can say
     * @param infoPort of its web UI
     * @param ipcPort empty where only its own web UI can say
     */
    public record Node(
            String host, String address, String rack, Optional<String> version, int infoPort, OptionalInt ipcPort) {}
}
