// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.plan;

import io.hearth.healer.model.BlockReplicas;
import io.hearth.healer.model.StoreFile;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many bytes of a column family are not local, of how many. Immutable.
 *
 * @param family the name of its folder
 */
public record FamilyBytes(String family, long nonLocalBytes, long totalBytes) {

    /** A compaction writes every byte anew: with less to win it is not worth it. */
    private static final double WORTH_IT = 0.25;

    /** The families of these files of which enough is not local on this host to write all of it anew, the worst first. */
    public static List<FamilyBytes> worst(List<StoreFile> files, String host) {
        SortedMap<String, FamilyBytes> byFamily = new TreeMap<>();
        files.forEach(file -> byFamily.merge(family(file.path()), of(file, host), FamilyBytes::plus));
        return byFamily.values().stream()
                .filter(bytes -> bytes.totalBytes > 0 && bytes.share() >= WORTH_IT)
                .sorted(Comparator.comparingDouble(FamilyBytes::share)
                        .reversed()
                        .thenComparing(FamilyBytes::family))
                .toList();
    }

    private double share() {
        return (double) nonLocalBytes / totalBytes;
    }

    private static FamilyBytes of(StoreFile file, String host) {
        long nonLocal = file.blocks().stream()
                .filter(block -> !block.isLocalTo(host))
                .mapToLong(BlockReplicas::lengthBytes)
                .sum();
        return new FamilyBytes(family(file.path()), nonLocal, file.lengthBytes());
    }

    private FamilyBytes plus(FamilyBytes other) {
        return new FamilyBytes(family, nonLocalBytes + other.nonLocalBytes, totalBytes + other.totalBytes);
    }

    /** The folder that holds the file, by HBase's layout. */
    private static String family(String path) {
        String folder = path.substring(0, path.lastIndexOf('/'));
        return folder.substring(folder.lastIndexOf('/') + 1);
    }
}
