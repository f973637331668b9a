// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.measure;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures that HDFS's fsck prints at its end; one that it did not print is absent.
 *
 * @param healthy whether it says {@code Status: HEALTHY}
 * @param blocks blocks that it checked
 * @param corruptBlocks blocks of which no replica is sound
 * @param missingBlocks blocks of which there is no replica
 */
public record FsckReport(boolean healthy, OptionalLong blocks, OptionalLong corruptBlocks, OptionalLong missingBlocks) {

    /** What fsck's whole output says of the replicated blocks. */
    public static FsckReport parse(String output) {
        return new FsckReport(
                output.contains("Status: HEALTHY"),
                figure(output, "Total blocks \\(validated\\)"),
                figure(output, "Corrupt blocks"),
                figure(output, "Missing blocks"));
    }

    private static OptionalLong figure(String output, String label) {
        Matcher matcher = Pattern.compile("(?m)^\\s*" + label + ":\\s*(\\d+)").matcher(output);
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }
}
