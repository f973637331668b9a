// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.List;

/**
 * One region, the host of the server that serves it, and the blocks of its store files.
 *
 * @param region encoded region name
 * @param host host of the RegionServer that serves it
 * @param blocks immutable
 */
public record RegionBlocks(String region, String host, List<StoreFileBlock> blocks) {

    public RegionBlocks {
        blocks = List.copyOf(blocks);
    }

    /** Bytes of all its blocks. */
    public long bytes() {
        return blocks.stream().mapToLong(StoreFileBlock::bytes).sum();
    }

    /** Bytes of those blocks that have no replica on the host that serves the region. */
    public long nonLocalBytes() {
        return blocks.stream()
                .filter(block -> !block.isOn(host))
                .mapToLong(StoreFileBlock::bytes)
                .sum();
    }

    /** How many blocks have no replica on the host that serves the region. */
    public int nonLocalBlocks() {
        return (int) blocks.stream().filter(block -> !block.isOn(host)).count();
    }
}
