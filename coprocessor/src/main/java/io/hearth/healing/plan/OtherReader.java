package io.hearth.healing.plan;

import io.hearth.healing.model.FilePart;

/**
 * Another region that reads a file, as far as a plan has to know it: the host of its server, where the replicas of what it
 * reads are not to be taken. Immutable.
 */
public record OtherReader(String host, FilePart part) {}
