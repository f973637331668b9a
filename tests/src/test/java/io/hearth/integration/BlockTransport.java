// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import java.util.Map;

/** How a DataNode sends blocks to its clients, which HDFS's settings decide. */
enum BlockTransport {

    /** From a file to the socket without buffers ({@code transferTo}): HDFS's default. */
    TRANSFER_TO(Map.of()),

    /** By buffers. */
    BUFFERS(Map.of("dfs.datanode.transferTo.allowed", "false")),

    /** Encrypted, which is by buffers too, to clients that have a token of the block. */
    ENCRYPTED(Map.of("dfs.encrypt.data.transfer", "true", "dfs.block.access.token.enable", "true"));

    private final Map<String, String> settings;

    BlockTransport(Map<String, String> settings) {
        this.settings = settings;
    }

    /** The settings of NameNode, DataNodes and clients. */
    Map<String, String> settings() {
        return settings;
    }
}
