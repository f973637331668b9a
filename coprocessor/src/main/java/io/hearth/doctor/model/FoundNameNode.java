package io.hearth.doctor.model;

/** A NameNode of the name service that HBase's files are in. Immutable. */
public record FoundNameNode(String host, Answer<String> version, Answer<Settings> settings) {}
