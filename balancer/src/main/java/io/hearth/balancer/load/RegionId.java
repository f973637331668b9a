package io.hearth.balancer.load;

/**
 * The encoded name of a region: the 32 hexadecimal digits that name it in HBase's logs, web pages and folders. Immutable;
 * ordered by that name.
 */
public record RegionId(String encodedName) implements Comparable<RegionId> {

    public RegionId {
        if (encodedName.isEmpty()) {
            throw new IllegalArgumentException("A region's encoded name must not be empty.");
        }
    }

    @Override
    public int compareTo(RegionId other) {
        return encodedName.compareTo(other.encodedName);
    }

    @Override
    public String toString() {
        return encodedName;
    }
}
