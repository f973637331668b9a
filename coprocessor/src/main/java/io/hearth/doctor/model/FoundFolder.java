package io.hearth.doctor.model;

/**
 * A folder of HBase with a policy of its own. Immutable.
 *
 * @param erasureCoding the name of its erasure coding policy; empty for plain replication
 * @param storagePolicy the name of its storage policy; empty for the default
 */
public record FoundFolder(String path, String erasureCoding, String storagePolicy) {}
