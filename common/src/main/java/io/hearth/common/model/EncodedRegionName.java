// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.model;

/**
 * The encoded name of a region: the 32 hexadecimal digits that name it in HBase's logs, web pages and folders. Immutable;
 * ordered by that name.
 */
public record EncodedRegionName(String encodedName) implements Comparable<EncodedRegionName> {

    public EncodedRegionName {
        if (encodedName.isEmpty()) {
            throw new IllegalArgumentException("A region's encoded name must not be empty.");
        }
    }

    @Override
    public int compareTo(EncodedRegionName other) {
        return encodedName.compareTo(other.encodedName);
    }

    @Override
    public String toString() {
        return encodedName;
    }
}
