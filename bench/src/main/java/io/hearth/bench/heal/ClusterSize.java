// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.heal;

import java.util.Locale;

/**
 * How large a made-up cluster is. Immutable.
 *
 * @param blocks blocks of all files together
 */
public record ClusterSize(int hosts, int regions, int foldersPerRegion, int filesPerFolder, long blocks) {

    /** HubSpot's largest, as far as they have said: 350,000 store files, 5 million blocks, 1,000 hosts in 3 zones. */
    public static final ClusterSize HUBSPOT = new ClusterSize(1_000, 87_500, 2, 2, 5_000_000);

    /** A twentieth of it. */
    public static final ClusterSize SMALL = new ClusterSize(50, 4_375, 2, 2, 250_000);

    int filesPerRegion() {
        return foldersPerRegion * filesPerFolder;
    }

    long files() {
        return (long) regions * filesPerRegion();
    }

    /** One for each column family of each region. */
    public long folders() {
        return (long) regions * foldersPerRegion;
    }

    int blocksOfFile(long file) {
        return (int) (firstBlockOfFile(file + 1) - firstBlockOfFile(file));
    }

    long firstBlockOfFile(long file) {
        return blocks * file / files();
    }

    /** What a table calls it. */
    public String label() {
        return String.format(
                Locale.ROOT,
                "%,d hosts in 3 zones, %,d regions, %,d store folders, %,d store files, %,d blocks",
                hosts,
                regions,
                folders(),
                files(),
                blocks);
    }
}
